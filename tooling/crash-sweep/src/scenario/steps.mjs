// @ts-check
import { edit, effect, look, patch, write } from "./scripted-call.mjs";

/** @import { Scenario } from "./scenario.mjs" */

const TASK = "Do all the steps, each of them once.";

/**
 * Twelve rounds of one agent with repeatable edits, unrepeatable edits, and effects outside the workspace.
 * @type {Scenario}
 */
export const STEPS = {
  task: TASK,
  workspace: {
    "config.json": '{\n  "level": 1,\n  "name": "old"\n}\n',
    "obsolete.txt": "nobody needs this\n",
    "log.txt": "begin\n",
    "plan.md": "No plan yet.\n",
    "summary.md": "No summary yet.\n",
  },
  parts: {
    [TASK]: {
      rounds: [
        [write("plan.md", "1. configure\n2. build\n")],
        [effect("op-01")],
        [effect("op-02"), effect("op-03"), look("config.json")],
        [edit("config.json", { from: '"level": 1', to: '"level": 2' })],
        [patch("config.json", { update: ['-  "name": "old"', '+  "name": "new"'] })],
        [effect("op-04", "printf 'built\\n' >> log.txt")],
        [write("src/main.txt", "main\n"), effect("op-05")],
        [edit("src/main.txt", { from: "main", to: "main, edited" })],
        [patch("obsolete.txt", {})],
        [effect("op-06", "printf 'tested\\n' >> log.txt")],
        [effect("op-07"), effect("op-08")],
        [write("summary.md", "Everything is done.\n"), look("log.txt")],
      ],
      lastWords: "All steps are done.",
    },
  },
};
