import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EngineError, type Envelope, SESSION_INPUT, SESSION_RESULT, type SessionInput } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  createDefaultRegistry,
  type OutputOptions,
  openConfiguredEngine,
  resumeSession,
  runSession,
  type StartSessionOptions,
  startSession,
} from "../src/index.ts";
import { type Start, stumblingAgent } from "./stumbling-adapter.ts";
import { collect, task, temporaryWorkspace } from "./temporary-session.ts";

const COLOUR: OutputOptions = {
  schema: {
    type: "object",
    properties: { colour: { enum: ["blue", "green"] } },
    required: ["colour"],
    additionalProperties: false,
  },
};

/** Returns an engine that responds with these final messages in turn, and the inputs it received. */
function speaker(answers: readonly string[], more: object = {}) {
  const requests: SessionInput[] = [];
  const engine = defineEngine(
    async (_run, _host, board) => {
      const input = board.get(SESSION_INPUT);
      if (input !== undefined) requests.push(input);
      const message = answers[requests.length - 1] ?? "";
      board.set(SESSION_RESULT, { exit_code: 0, final_message: message, input_tokens: 10, output_tokens: 1, ...more });
    },
    { name: "speaker", supportsResume: true },
  );
  return { engine, asked: requests };
}

async function ask(answers: readonly string[], options: Partial<StartSessionOptions> = {}, more: object = {}) {
  using workspace = temporaryWorkspace();
  const { engine, asked: requests } = speaker(answers, more);
  const handle = await startSession(task("Which colour?"), workspace.options({ engine, output: COLOUR, ...options }));
  const events: Envelope[] = await collect(handle.events());
  return { report: await handle.result, events, asked: requests };
}

/** Returns code and message of the error with which a start was rejected. */
async function refusal(starting: Promise<unknown>): Promise<string> {
  const error: unknown = await starting.catch((reason: unknown) => reason);
  return EngineError.is(error) ? `${error.code}: ${error.message}` : "none";
}

test("an answer that fits its schema is in the report as a document, and the engine received the schema", async () => {
  const { report, asked: requests } = await ask(['{ "colour": "blue" }']);
  expect(report).toMatchObject({ status: "completed", output: { colour: "blue" } });
  expect(report.result?.final_message).toBe('{ "colour": "blue" }');
  expect(report.failedAttempts).toBeUndefined();
  expect(requests).toHaveLength(1);
  expect(requests[0]?.messages[0]?.content).toMatch(/^Which colour\?\n\n.*JSON Schema/su);
  expect(requests[0]?.messages[0]?.content).toContain(JSON.stringify(COLOUR.schema));
});

test("a fence round the document is taken off", async () => {
  const { report } = await ask(['```json\n{"colour": "green"}\n```\n']);
  expect(report).toMatchObject({ output: { colour: "green" }, result: { final_message: '{"colour": "green"}' } });
});

test("an answer that does not fit is requested again, with the conversation so far and the problem", async () => {
  const { report, asked: requests, events } = await ask(["It is blue.", '{"colour": "red"}', '{"colour": "blue"}']);
  expect(report).toMatchObject({ status: "completed", output: { colour: "blue" } });
  expect(report.failedAttempts?.map(({ attempt, error, delayMs }) => [attempt, error.code, delayMs])).toEqual([
    [1, "output.invalid", 0],
    [2, "output.invalid", 0],
  ]);
  expect(requests.map(({ messages }) => messages.map(({ role }) => role).join())).toEqual([
    "user",
    "user,assistant,user",
    "user,assistant,user,assistant,user",
  ]);
  expect(requests[1]?.messages[2]?.content).toContain("it is not valid JSON");
  expect(requests[2]?.messages[4]?.content).toContain(
    'colour must be equal to one of the allowed values: ["blue","green"]',
  );
  // Usage of all attempts counts.
  expect(report.result).toMatchObject({ input_tokens: 30, output_tokens: 3 });
  const reported = events.flatMap((event) => (event.type === "retry_scheduled" ? [event.payload] : []));
  expect(reported.map(({ tries, max_attempts: most }) => [tries, most])).toEqual([
    [1, 3],
    [2, 3],
  ]);
  expect(events.filter(({ type }) => type === "run_end")).toHaveLength(1);
});

test("an answer that never fits is a failure of the run, and is stored", async () => {
  const { report, asked: requests } = await ask(["no", "no", "never"]);
  expect(report).toMatchObject({ status: "error", error: { code: "output.invalid" } });
  expect(report.result).toMatchObject({ exit_code: 1, final_message: "never" });
  expect(report).not.toHaveProperty("output");
  expect(requests).toHaveLength(3);
  const once = await ask(["no"], { output: { ...COLOUR, repairs: 0 } });
  expect(once.asked).toHaveLength(1);
  expect(once.report).toMatchObject({ status: "error", error: { code: "output.invalid" } });
});

test("turns of all tries are counted, and no try takes more than are left", async () => {
  const limited = async (limit: number): Promise<unknown> => {
    using workspace = temporaryWorkspace();
    const { engine, asked: requests } = speaker(["no", "no", '{"colour": "blue"}'], { turns: 2 });
    const input = { ...task("Which colour?"), max_turns: limit };
    const { status, result } = await runSession(input, workspace.options({ engine, output: COLOUR }));
    return { status, turns: result?.turns, limits: requests.map(({ max_turns: most }) => most) };
  };
  expect(await limited(6)).toEqual({ status: "completed", turns: 6, limits: [6, 4, 2] });
  expect(await limited(4)).toEqual({ status: "error", turns: 4, limits: [4, 2] });
  expect(await limited(0)).toEqual({ status: "completed", turns: 6, limits: [0, 0, 0] });
});

test("an engine that keeps the conversation receives only the problem", async () => {
  const { report, asked: requests } = await ask(["no", '{"colour": "blue"}'], {}, { session_id: "s-1" });
  expect(report.output).toEqual({ colour: "blue" });
  expect(requests[1]).toMatchObject({ session_id: "s-1", messages: [{ role: "user" }] });
});

test("an engine that fails is not asked for its answer", async () => {
  const { report, asked: requests } = await ask(["no"], {}, { exit_code: 3 });
  expect(report).toMatchObject({ status: "failed", result: { exit_code: 3, final_message: "no" } });
  expect(requests).toHaveLength(1);
});

test("results from before the repeated request are not lost", async () => {
  using workspace = temporaryWorkspace();
  let answers = 0;
  const engine = defineEngine(
    async (_run, _host, board) => {
      answers += 1;
      const first = { final_message: "no", artifacts: { files: [{ name: "a.txt", content: "made" }] } };
      board.set(SESSION_RESULT, { exit_code: 0, ...(answers === 1 ? first : { final_message: '{"colour":"blue"}' }) });
    },
    { name: "maker" },
  );
  const report = await runSession(task(), workspace.options({ engine, output: COLOUR }));
  expect(report).toMatchObject({ status: "completed", artifacts: [{ name: "a.txt" }] });
});

test("the built-in agent sends its document again in the same conversation", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([
    toolCall("shell", { command: "echo done > made.txt" }),
    text("All is done."),
    text('{"colour":"green"}'),
  ]);
  const registry = createDefaultRegistry({ env: {}, client, model: "anthropic/test-model" });
  const report = await runSession(task(), workspace.options({ engine: "agent", registry, output: COLOUR }));
  expect(report).toMatchObject({ status: "completed", output: { colour: "green" } });
  const last = client.requests.at(-1)?.messages.map(({ role }) => role);
  expect(last).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
});

test("an agent's command is asked again in its own session", async () => {
  using workspace = temporaryWorkspace();
  const folder = join(dirname(workspace.root), "agent");
  mkdirSync(folder);
  const plan: Start[] = [
    { says: "Blue, I think.", reports: "success" },
    { says: '{"colour":"blue"}', reports: "success" },
  ];
  const { engine, starts } = stumblingAgent(folder, plan);
  const report = await runSession(task(), workspace.options({ engine, output: COLOUR }));
  expect(report).toMatchObject({ status: "completed", output: { colour: "blue" } });
  const [first, second] = starts();
  expect([first?.how, second?.how]).toEqual(["new", "known"]);
  expect(second?.id).toBe(first?.id);
  expect(second?.prompt).toMatch(/^The final message is not the requested JSON document/u);
  expect(second?.prompt).not.toContain("Do it.");
});

test("a custom command is called again with the whole conversation", async () => {
  using workspace = temporaryWorkspace();
  const script = `const fs = require("node:fs");
    const { messages } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
    const said = messages.length === 1 ? "Blue." : JSON.stringify({ colour: "blue" });
    fs.appendFileSync("asked.txt", messages.map(({ role }) => role).join() + "\\n");
    fs.writeFileSync(process.argv[3], JSON.stringify({ exit_code: 0, final_message: said }));`;
  workspace.write("agent.cjs", script);
  const local = { command: process.execPath, args: ["agent.cjs", `\${input_file}`, `\${output_file}`] };
  const custom = { transport: "local", local: { ...local, output_file: `\${output_file}` } };
  const { engine } = await openConfiguredEngine({ engine: { name: "own", custom } }, { env: {} });
  const report = await runSession(task(), workspace.options({ engine, output: COLOUR }));
  expect(report).toMatchObject({ status: "completed", output: { colour: "blue" } });
  expect(readFileSync(join(workspace.root, "asked.txt"), "utf8")).toBe("user\nuser,assistant,user\n");
});

test("a run that was stopped during the repeated request continues with that request", async () => {
  using workspace = temporaryWorkspace();
  let answers = 0;
  const requests: number[] = [];
  const engine = defineEngine(
    async (run, host, board) => {
      answers += 1;
      requests.push(board.get(SESSION_INPUT)?.messages.length ?? 0);
      const timestamp = new Date().toISOString();
      if (run.resumeFrom !== undefined) board.restoreFrom(run.resumeFrom.board);
      if (answers === 2) {
        await host.checkpoint({ execId: run.id, step: "begun", board: board.snapshot(), timestamp });
        throw new EngineError("llm.network", { url: "http://127.0.0.1:9", problem: "refused" });
      }
      const message = (board.get(SESSION_INPUT)?.messages.length ?? 0) > 1 ? '{"colour":"blue"}' : "no";
      board.set(SESSION_RESULT, { exit_code: 0, final_message: message });
    },
    { name: "stopped", supportsResume: true, emitsCheckpoint: true },
  );
  const options = workspace.options({ engine, output: COLOUR });
  const failed = await runSession(task(), options);
  expect(failed).toMatchObject({ status: "error", error: { code: "llm.network" } });
  // The schema is stored with the run.
  const { output: _, ...rest } = options;
  const resumed = await (await resumeSession(failed.runId, rest)).result;
  expect(resumed).toMatchObject({ status: "completed", output: { colour: "blue" } });
  expect(answers).toBe(3);
});

test("a schema that cannot be used is refused before anything runs", async () => {
  using workspace = temporaryWorkspace();
  const { engine, asked: requests } = speaker([]);
  const start = (given: object) => {
    // Bypasses the types, like a host written in JavaScript.
    const output: OutputOptions = JSON.parse(JSON.stringify(given));
    return refusal(startSession(task(), workspace.options({ engine, output })));
  };
  expect(await start({ schema: { type: "nothing" } })).toMatch(/^config\.invalid: .*output\.schema/u);
  expect(await start({ schema: { pattern: "(?=a)" } })).toMatch(/^config\.invalid: .*output\.schema/u);
  expect(await start({ schema: [] })).toMatch(/^config\.invalid: .*output\.schema/u);
  expect(await start({ schema: {}, repairs: -1 })).toMatch(/^config\.invalid: .*output\.repairs/u);
  expect(requests).toEqual([]);
});
