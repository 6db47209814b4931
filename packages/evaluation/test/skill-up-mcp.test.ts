import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { connectMcpServers } from "@switchyard/mcp";
import { expect, test } from "vitest";
import { parseEvalSuite, runEval } from "../src/index.ts";
import { toMcpServers } from "../src/simulated-server/simulated-mcp-server.ts";
import { makeFolder } from "./evaluate.ts";

const ENV = { PATH: process.env["PATH"] };

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test("a mocked MCP server responds with the fixture of the case", async () => {
  const folder = await write({
    "evals/default.yaml": "tool_responses: { get_project: { default: { status: UNKNOWN } } }",
    "evals/open.yaml":
      'tool_responses: { get_project: { default: { status: OPEN, name: "{{params.name}} of $HOME", id: "{{params.id}}" } } }',
    "evals/a.yaml":
      "input: { prompt: Go }\nmcp: { servers: [{ name: project, mode: mocked, config_ref: evals/open.yaml }] }",
    "evals/b.yaml": "input: { prompt: Go }",
    "note.txt": "hello",
  });
  const yaml = `
schema_version: v1alpha1
engine: { name: codex }
mcp:
  servers:
    - { name: project, mode: mocked, config_ref: evals/default.yaml }
    - { name: filesystem, mode: mocked }
cases: { files: [evals/a.yaml, evals/b.yaml] }`;
  const suite = await parseEvalSuite(yaml, join(folder, "evals", "eval.yaml"));
  const called: unknown[] = [];
  for (const { mcpServers = {} } of suite.cases) {
    await using environment = await openLocalEnvironment({ root: folder, env: ENV });
    await using connections = await connectMcpServers({
      servers: toMcpServers(mcpServers),
      environment,
      startWaitMs: 20_000,
    });
    const tools = connections.tools();
    const call = async (name: string, args: Record<string, unknown>) => {
      const tool = tools.find(({ definition }) => definition.name === name);
      const call = { signal: new AbortController().signal, callId: "1", onUpdate: () => undefined };
      return tool?.execute(args, environment, { ...call, commandTimeouts: { defaultMs: 9_000, maxMs: 9_000 } });
    };
    called.push(JSON.stringify(await call("project__get_project", { name: "Ada", id: 7 })));
    called.push(JSON.stringify(await call("filesystem__read_file", { path: "note.txt" })));
    called.push(JSON.stringify(await call("filesystem__read_file", { path: "../x" }).catch(String)));
  }
  expect(called).toEqual([
    expect.stringMatching(/OPEN.*Ada of \$HOME.*7/u),
    expect.stringContaining("hello"),
    expect.stringContaining("outside workspace"),
    expect.stringContaining("UNKNOWN"),
    expect.stringContaining("hello"),
    expect.stringContaining("outside workspace"),
  ]);
});

test("a simulated user answers turns, and ends an open conversation", async () => {
  const folder = await write({
    "evals/mixed.yaml": `
user_simulator: { scenario: Two replicas. }
input: { turns: [{ role: user, content: Start }, { role: user, respond: Say the number }, { role: user, content: End }] }
expect: { must_contain: [End] }`,
    "evals/open.yaml": `
user_simulator: { scenario: Two replicas. }
input: { prompt: Start }
constraints: { max_turns: 2 }`,
  });
  const yaml = `
schema_version: v1alpha1
engine: { name: echo }
user_simulator: { provider: acme, protocol: openai, model: m }
cases: { files: [evals/mixed.yaml, evals/open.yaml] }`;
  const suite = await parseEvalSuite(yaml, join(folder, "evals", "eval.yaml"));
  const asked: { instruction: string; conversation: unknown[] }[] = [];
  const echo = defineEngine(async (_run, _host, board) => {
    const final_message = board.get(SESSION_INPUT)?.messages.at(-1)?.content ?? "";
    board.set(SESSION_RESULT, { exit_code: 0, final_message });
  });
  const run = async (stopsAt: number) =>
    runEval(suite, {
      openEngine: async () => ({ name: "echo", engine: echo }),
      environment: (root) => ({ type: "local", root, env: ENV }),
      output: await makeFolder(),
      openModel: async () => async (prompt) => {
        const question = JSON.parse(prompt.question);
        asked.push(question);
        const isOver = prompt.instructions.includes("action stop once") && question.conversation.length >= stopsAt;
        const decision = isOver
          ? { action: "stop", reason: "done" }
          : { action: "reply", message: `{{two}} ${question.instruction}` };
        return { text: JSON.stringify(decision), usage: { input_tokens: 5, output_tokens: 1 } };
      },
    });
  const { trials } = await run(2);
  expect(trials.map(({ outcome, reason }) => reason ?? outcome)).toEqual(["PASS", "PASS"]);
  expect(trials[0]?.conversation?.map(({ content }) => content)).toEqual(["Start", "{{two}} Say the number", "End"]);
  expect(asked[0]).toMatchObject({ conversation: [{ user: "Start", agent: "Start" }] });
  expect(trials[0]).toMatchObject({ simulated_user_usage: { input_tokens: 5 } });
  expect(trials[0]).not.toHaveProperty("judge_usage");
  const limited = await run(3);
  expect(limited.trials[1]).toMatchObject({
    outcome: "ERROR",
    reason: expect.stringContaining("wants to continue after the last of 2 turns"),
  });
});
