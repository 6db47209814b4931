// @ts-check
import {
  ask,
  behind,
  close,
  edit,
  effect,
  job,
  look,
  send,
  server,
  spawn,
  stop,
  waitFor,
  write,
} from "./scripted-call.mjs";

/** @import { Scenario } from "./scenario.mjs" */

const TASK = "Have all the work done, each part of it once.";
const [FIRST, SECOND, LEAF, AGAIN] = ["Do the first part.", "Do the second part.", "Do the leaf.", "Go on, first."];

/**
 * An agent with two subagents, one of which has a subagent of its own and receives a second message. All of them have
 * concurrent effects and edits, user questions and background commands: one that exits, one that is ended, and one that
 * runs until the end of the session.
 * @type {Scenario}
 */
export const FAMILY = {
  task: TASK,
  hasFamily: true,
  workspace: {
    "config.json": '{\n  "level": 1\n}\n',
    "plan.md": "No plan yet.\n",
    "second/notes.txt": "no notes\n",
    "second/log.txt": "begin\n",
  },
  parts: {
    [TASK]: {
      rounds: [
        [spawn(FIRST), effect("op-11", behind(["op-21", "op-31"])), spawn(SECOND, "second")],
        [server(), job("op-12"), write("plan.md", "1. wait\n2. go on\n")],
        [ask("Which colour?"), effect("op-13"), ask("Which size?")],
        [waitFor("agent-1"), waitFor("agent-2"), look("config.json")],
        [send("agent-1", AGAIN), effect("op-14", behind(["op-26"]))],
        [effect("op-15"), effect("op-16"), edit("config.json", { from: '"level": 1', to: '"level": 2' })],
        [waitFor("agent-1"), close("agent-2")],
        [stop("s02-0"), server()],
        [write("summary.md", "All parts are done.\n"), look("leaf.txt")],
      ],
      lastWords: "All the work is done.",
    },
    [FIRST]: {
      rounds: [
        [effect("op-21"), effect("op-22"), write("first.txt", "first\n")],
        [spawn(LEAF), effect("op-23", behind(["op-41"]))],
        [ask("May the first one go on?"), job("op-24")],
        [waitFor("agent-1-1"), effect("op-25")],
      ],
      lastWords: "The first part is done.",
    },
    [AGAIN]: {
      rounds: [[effect("op-26")], [edit("first.txt", { from: "first", to: "first, edited" })]],
      lastWords: "The first part is done again.",
    },
    [SECOND]: {
      rounds: [
        [effect("op-31"), look("notes.txt")],
        [edit("notes.txt", { from: "no notes", to: "some notes" }), effect("op-32", "printf 'built\\n' >> log.txt")],
      ],
      lastWords: "The second part is done.",
    },
    [LEAF]: {
      rounds: [[effect("op-41")], [write("leaf.txt", "leaf\n"), effect("op-42")]],
      lastWords: "The leaf is done.",
    },
  },
};
