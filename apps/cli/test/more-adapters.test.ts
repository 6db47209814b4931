import { chmod, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

/** Simulates one turn of the command `codex app-server` 0.169.0 and stores its requests. */
const CODEX = `#!${process.execPath}
const fs = require("node:fs");
const send = (message) => fs.writeSync(1, JSON.stringify(message) + "\\n");
const place = { threadId: "thread-1", turnId: "turn-1" };
const item = (state, given) => send({ method: "item/" + state, params: { ...place, item: given } });
const ran = { type: "commandExecution", id: "call-1", command: "cat made.txt", cwd: process.cwd() };
const answers = {
  initialize: {},
  "account/read": { account: null, requiresOpenaiAuth: false },
  "thread/start": { thread: { id: "thread-1" }, model: "gpt-5.5" },
  "turn/start": { turn: { id: "turn-1" } },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  fs.appendFileSync("asked.jsonl", JSON.stringify({ args: process.argv.slice(2), method, params }) + "\\n");
  if (id !== undefined) send({ id, result: answers[method] });
  if (method === "thread/start") send({ method: "thread/started", params: { thread: { id: "thread-1" } } });
  if (method !== "turn/start") return;
  item("started", ran);
  fs.writeFileSync("made.txt", "tool ran\\n");
  item("completed", { ...ran, status: "completed", aggregatedOutput: "tool ran", exitCode: 0 });
  item("completed", { type: "agentMessage", id: "m", text: "Done." });
  const tokens = { inputTokens: 1200, outputTokens: 34 };
  send({ method: "thread/tokenUsage/updated", params: { ...place, tokenUsage: { total: tokens, last: tokens } } });
  send({ method: "turn/completed", params: { ...place, turn: { id: "turn-1", status: "completed" } } });
});
`;

/** Simulates one turn of the command `opencode run` 1.18.33 and stores its prompt. */
const OPENCODE = `#!${process.execPath}
const fs = require("node:fs");
const prompt = fs.readFileSync(0, "utf8");
fs.appendFileSync("asked.jsonl", JSON.stringify({ args: process.argv.slice(2), prompt }) + "\\n");
const say = (type, part) => fs.writeSync(1, JSON.stringify({ type, sessionID: "ses_1", part }) + "\\n");
const state = { status: "completed", input: { command: "cat made.txt" }, output: "tool ran" };
say("step_start", {});
fs.writeFileSync("made.txt", "tool ran\\n");
say("tool_use", { tool: "bash", callID: "call-1", state });
say("text", { text: "Done." });
say("step_finish", { id: "p", reason: "stop", tokens: { input: 1200, output: 34, cache: { read: 0, write: 0 } } });
`;

test.each([
  {
    kind: "codex",
    program: CODEX,
    model: "openai/gpt-5.5",
    shown: "→ commandExecution cat made.txt",
    named: "gpt-5.5",
  },
  { kind: "opencode", program: OPENCODE, model: "acme/large", shown: "→ bash cat made.txt", named: "acme/large" },
])(
  "$kind is an engine by its name [adapter-contract-11] [adapter-registry-1]",
  async ({ kind, program, model, ...expected }) => {
    const cwd = await makeFolder({ "README.md": "# demo\n" });
    const bin = await makeFolder({ [kind]: program });
    await chmod(join(bin, kind), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}` };
    const words = ["run", "--engine", kind, "--model", model, "--state", "state", "--output", "result.json", "Do it."];
    const run = await switchyard(words, { cwd, env });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    for (const part of ["> Do it.", expected.shown, "Done.", "made.txt"]) expect(run.stdout).toContain(part);
    const result: unknown = JSON.parse(await readFile(join(cwd, "result.json"), "utf8"));
    expect(result).toMatchObject({ exit_code: 0, engine: kind, final_message: "Done.", input_tokens: 1200, turns: 1 });
    expect(await readFile(join(cwd, "asked.jsonl"), "utf8")).toContain(`"${expected.named}"`);
  },
);
