import type { Part, SessionInput } from "@switchyard/contracts";
import type { Files } from "../open-workspace.ts";

/** A session that any process can play: nothing of it lives in a closure. */
export interface Scenario {
  readonly files: Files;
  readonly input?: Partial<SessionInput>;
  /** What the model says, by the number of the answer. */
  readonly answers: readonly (readonly Part[])[];
}

let calls = 0;

function call(name: string, args: unknown): Part {
  calls += 1;
  return { type: "tool_call", id: `call_${calls}`, name, arguments: JSON.stringify(args) };
}

const say = (text: string): Part => ({ type: "text", text });

/** The sessions of the suite, by name. */
export const SCENARIOS = {
  /** Looks, writes, looks again, edits, runs: every kind of tool there is. */
  editing: {
    files: { "notes.txt": "one\ntwo\n" },
    answers: [
      [say("I look first."), call("read_file", { file_path: "notes.txt" }), call("glob", { pattern: "*.txt" })],
      [call("write_file", { file_path: "more.txt", content: "three\n" })],
      [call("grep", { pattern: "t", path: "." }), call("read_file", { file_path: "more.txt" })],
      [call("edit_file", { file_path: "notes.txt", old_string: "two", new_string: "2" })],
      [call("shell", { command: "echo once >> ledger.txt; cat notes.txt" })],
      [say("All is as it should be.")],
    ],
  },
  /** Fails, is refused, and says the same again and again, until the limit of its input ends it. */
  stumbling: {
    files: {},
    input: { max_turns: 6 },
    answers: [
      [call("read_file", { file_path: "missing.txt" }), call("no_such_tool", {})],
      [call("read_file", { wrong: 1 })],
      ...Array.from({ length: 4 }, () => [call("glob", { pattern: "*.none" })]),
      [say("never")],
    ],
  },
  /** Goes on from a conversation that was there before. */
  continued: {
    files: { "a.txt": "alpha\n" },
    input: {
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "first" },
        { role: "user", content: "second" },
      ],
    },
    answers: [[call("read_file", { file_path: "a.txt" })], [call("list_dir", { path: "." })], [say("alpha")]],
  },
} satisfies Readonly<Record<string, Scenario>>;

/** Name of a scenario. */
export type ScenarioName = keyof typeof SCENARIOS;

/** Whether a text is the name of a scenario. */
export function isScenarioName(text: string): text is ScenarioName {
  return Object.hasOwn(SCENARIOS, text);
}
