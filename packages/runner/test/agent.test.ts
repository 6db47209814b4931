import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { parseCassette } from "@switchyard/llm/cassette";
import { failure, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  createDefaultRegistry,
  openAgentEngine,
  resumeSession,
  runSession,
  secretsFromEnv,
  startSession,
} from "../src/index.ts";
import { collect, task, temporaryWorkspace } from "./temporary-session.ts";

const KEY = "test-key-0123456789abcdef";

async function code(opening: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return EngineError.is(error) ? error.code : undefined;
}

test("the built-in agent works in the workspace, and its run has diff, usage, events and recording", async () => {
  using workspace = temporaryWorkspace();
  workspace.write("a.txt", "one\n");
  workspace.git("init", "-q");
  workspace.git("add", "-A");
  const client = scriptedClient([
    toolCall("shell", { command: `printf 'two\n' > a.txt; echo ${KEY}` }),
    text("Changed it."),
  ]);
  const registry = createDefaultRegistry({ env: {}, client, model: "openai/gpt-5" });
  const options = workspace.options({ engine: "agent", registry, workspaceDiff: true, secrets: [KEY] });
  const handle = await startSession(task("Change a.txt."), options);
  const events = await collect(handle.events());
  const report = await handle.result;

  expect(report).toMatchObject({ status: "completed", engine: "agent", model: "openai/gpt-5" });
  expect(report.result).toMatchObject({ exit_code: 0, final_message: "Changed it.", engine: "agent" });
  expect(report.workspaceDiff).toContain("-one\n+two");
  const end = events.find((event) => event.type === "tool_call_end");
  expect(end?.payload).toMatchObject({ name: "shell", content: expect.stringContaining("***REDACTED***") });
  expect(events.map((event) => event.seq).filter((seq) => seq !== undefined)).toEqual(
    Array.from({ length: events.at(-1)?.seq ?? 0 }, (_, index) => index + 1),
  );
  const path = join(report.runFolder ?? "", "recording.jsonl");
  const recording = readFileSync(path, "utf8");
  expect(parseCassette(recording).calls).toHaveLength(2);
  expect(recording).not.toContain(KEY);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a resumed agent continues its conversation, its tokens and its recording [D9] [D14]", async () => {
  using workspace = temporaryWorkspace();
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const down = new EngineError("llm.server_error", { provider: "openai", status: 500, problem: "down" });
  const first = scriptedClient([{ ...toolCall("shell", { command: "echo done > a.txt" }), usage }, failure(down)]);
  const agent = { env: {}, model: "openai/gpt-5", retry: false } as const;
  const options = { engineName: "agent", settings: { from: "test" } };
  const broken = await openAgentEngine({ ...agent, client: first });
  const failed = await runSession(task("Do it."), workspace.options({ engine: broken, ...options }));
  expect(failed).toMatchObject({ status: "error", error: { code: "llm.server_error" } });
  const path = join(failed.runFolder ?? "", "recording.jsonl");
  appendFileSync(path, '{"request":{"cut off');

  const second = scriptedClient([{ ...text("All done."), usage }]);
  const engine = await openAgentEngine({ ...agent, client: second });
  const report = await (await resumeSession(failed.runId, workspace.options({ engine, engineName: "agent" }))).result;
  expect(report).toMatchObject({
    status: "completed",
    usage: { totalTokens: 30 },
    result: { final_message: "All done.", turns: 2, input_tokens: 20 },
  });
  expect(second.requests[0]?.messages.map((message) => message.role).slice(-3)).toEqual(["user", "assistant", "tool"]);
  // The failed call is recorded too.
  expect(parseCassette(readFileSync(path, "utf8")).calls).toHaveLength(3);
});

test("a recording contains no known secret, even one that looks like ordinary text", async () => {
  using workspace = temporaryWorkspace();
  const word = "violet hammock lantern";
  const client = scriptedClient([toolCall("shell", { command: `echo ${word}` }), text(`It is ${word}.`)]);
  const engine = await openAgentEngine({ env: {}, client, model: "openai/gpt-5" });
  const report = await runSession(task(`Say ${word}.`), workspace.options({ engine, secrets: [word] }));
  const recording = readFileSync(join(report.runFolder ?? "", "recording.jsonl"), "utf8");
  expect(parseCassette(recording).calls).toHaveLength(2);
  expect(recording).toContain("Say ***REDACTED***.");
  expect(recording).not.toContain(word);
});

test("a long recording loses only the line that was cut off, and is continued after it [D9]", async () => {
  using workspace = temporaryWorkspace();
  const down = failure(new EngineError("llm.server_error", { provider: "openai", status: 500, problem: "down" }));
  const agent = { env: {}, model: "openai/gpt-5", retry: false } as const;
  const broken = await openAgentEngine({
    ...agent,
    client: scriptedClient([toolCall("shell", { command: "true" }), down]),
  });
  const prompt = "long ".repeat(40_000);
  const failed = await runSession(task(prompt), workspace.options({ engine: broken, engineName: "agent" }));
  const path = join(failed.runFolder ?? "", "recording.jsonl");
  const before = readFileSync(path, "utf8");
  appendFileSync(path, `{"request":{"cut off${" again".repeat(40_000)}`);
  const engine = await openAgentEngine({ ...agent, client: scriptedClient([text("Done.")]) });
  await (await resumeSession(failed.runId, workspace.options({ engine, engineName: "agent" }))).result;
  const after = readFileSync(path, "utf8");
  expect(after.startsWith(before)).toBe(true);
  expect(parseCassette(after).calls).toHaveLength(3);
});

test("an agent's checkpoint is judged by the model that the run was started with [D11]", async () => {
  using workspace = temporaryWorkspace();
  const down = new EngineError("llm.server_error", { provider: "gemini", status: 500, problem: "down" });
  const client = scriptedClient([toolCall("shell", { command: "true" }), failure(down), text("Done.")]);
  const engine = await openAgentEngine({ env: {}, model: "openai/gpt-5", retry: false, client });
  const options = workspace.options({ engine, engineName: "agent" });
  const { runId } = await runSession(task("x", { model: "gemini/gemini-2.5-pro" }), options);
  const report = await (await resumeSession(runId, options)).result;
  expect(report).toMatchObject({ status: "completed", model: "gemini/gemini-2.5-pro" });
});

test("the agent's own keys are masked without being named again", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([text(`my key is ${KEY} and short1`)]);
  const engine = await openAgentEngine({ env: { OPENAI_API_KEY: KEY }, apiKey: "short1", client });
  const handle = await startSession(task(), workspace.options({ engine }));
  const events = JSON.stringify(await collect(handle.events()));
  const report = await handle.result;
  expect(report.result?.final_message).toBe("my key is ***REDACTED*** and ***REDACTED***");
  expect(events).not.toContain(KEY);
});

test.for(["k", "test", "ollama"])(
  "a word that stands for a key, such as %s, is none: nothing is masked for it",
  async (apiKey) => {
    using workspace = temporaryWorkspace();
    const client = scriptedClient([text("I took a look at the tests of ollama.")]);
    const engine = await openAgentEngine({ env: {}, model: "openai/gpt-5", apiKey, client });
    const handle = await startSession(task(), workspace.options({ engine }));
    const usage = (await collect(handle.events())).find(({ type }) => type === "usage_reported");
    expect(JSON.stringify(usage)).not.toContain("REDACTED");
    expect((await handle.result).result?.final_message).toBe("I took a look at the tests of ollama.");
  },
);

test("a failed model call ends the run as an error with the provider's code", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([
    failure(new EngineError("llm.authentication", { provider: "openai", status: 401, problem: "no", variable: "K" })),
  ]);
  const engine = await openAgentEngine({ env: {}, client, model: "openai/gpt-5", retry: false });
  const report = await runSession(task(), workspace.options({ engine, engineName: "agent" }));
  expect(report).toMatchObject({ status: "error", error: { code: "llm.authentication" } });
});

test("steering and interrupts reach the agent", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([toolCall("shell", { command: "sleep 600" }), text("never")]);
  const engine = await openAgentEngine({ env: {}, client, model: "anthropic/claude-sonnet-4-5" });
  const handle = await startSession(task(), workspace.options({ engine }));
  for await (const event of handle.events()) {
    if (event.type === "tool_call_start") handle.interrupt({ cause: "user_cancel" });
  }
  const report = await handle.result;
  expect(report).toMatchObject({ status: "interrupted", error: { code: "run.interrupted" } });
  expect(report.timing.durationMs).toBeLessThan(110_000);
  expect(report.result?.transcript?.length).toBeGreaterThan(0);
});

test("the model of the input wins over the agent's own", async () => {
  using workspace = temporaryWorkspace();
  const client = scriptedClient([text("hi")]);
  const engine = await openAgentEngine({ env: {}, client, model: "openai/gpt-5" });
  const report = await runSession(task("x", { model: "gemini/gemini-2.5-pro" }), workspace.options({ engine }));
  expect(report.model).toBe("gemini/gemini-2.5-pro");
  expect(report.result?.model).toBe("gemini/gemini-2.5-pro");
  expect(existsSync(join(report.runFolder ?? "", "recording.jsonl"))).toBe(true);
});

test("missing requirements of the agent are reported before a run exists: model, provider, key", async () => {
  using workspace = temporaryWorkspace();
  const env = { OPENAI_API_KEY: KEY };
  expect(await code(openAgentEngine({ env: {} }))).toBe("model.not_configured");
  expect(await code(openAgentEngine({ env: { OPENAI_API_KEY: "  " } }))).toBe("model.not_configured");
  expect(await code(openAgentEngine({ env, model: "gpt-5" }))).toBe("model.invalid_name");
  expect(await code(openAgentEngine({ env, model: "acme/gpt-5" }))).toBe("model.unknown_provider");
  expect(await code(openAgentEngine({ env, model: "anthropic/claude" }))).toBe("model.missing_key");
  const registry = createDefaultRegistry({ env: {}, model: "gemini/gemini-2.5-pro" });
  const start = startSession(task(), workspace.options({ engine: "agent", registry }));
  await expect(start).rejects.toMatchObject({ code: "model.missing_key", message: expect.stringContaining("gemini") });
  expect(existsSync(workspace.stateDirectory)).toBe(false);
});

test("without a model the newest one of the first provider with a key is taken", async () => {
  const openai = await openAgentEngine({ env: { OPENAI_API_KEY: KEY } });
  expect(openai.model).toMatch(/^openai\//);
  const gemini = await openAgentEngine({ env: { GOOGLE_API_KEY: KEY } });
  expect(gemini.model).toMatch(/^gemini\//);
  const given = await openAgentEngine({ env: {}, model: "openai/any", apiKey: KEY, baseUrl: "http://127.0.0.1:9/v1" });
  expect(given.model).toBe("openai/any");
  for (const engine of [openai, gemini, given]) await engine[Symbol.asyncDispose]();
});

test("further engines are available next to the agent, and cannot use its name", async () => {
  const other = { execute: async () => Promise.reject(new Error("unused")) };
  expect(createDefaultRegistry({ env: {} }, { other }).names()).toEqual(["agent", "other"]);
  expect(() => createDefaultRegistry({ env: {} }, { agent: other })).toThrow(EngineError);
});

test("secrets of an environment are found by name and by shape", () => {
  const env = {
    OPENAI_API_KEY: "a-long-value",
    HOME: "/home/me",
    PLAIN: `sk-${"a1B2".repeat(10)}`,
    EMPTY_TOKEN: "",
    GONE: undefined,
  };
  expect(secretsFromEnv(env).map((found) => found.reveal())).toEqual(["a-long-value", env.PLAIN]);
});

test("an output of 8 MB is stored in a file of the run, and events contain its beginning and end [loop-2.9-10]", {
  timeout: 600_000,
}, async () => {
  using workspace = temporaryWorkspace();
  // Masking a secret takes much longer than reading plain text, so each line has one secret and much text.
  const line = `${KEY} and more text${" of a long line".repeat(70)}`;
  const client = scriptedClient([
    toolCall("shell", { command: `yes '${line}' | head -c 8388608`, timeout_ms: 600_000 }),
    text("Done."),
  ]);
  const engine = await openAgentEngine({ env: {}, client, model: "openai/gpt-5" });
  const handle = await startSession(task("Print much."), workspace.options({ engine, secrets: [KEY] }));
  const events = await collect(handle.events());
  const report = await handle.result;

  const end = events.find((event) => event.type === "tool_call_end");
  expect(end?.payload).toMatchObject({ name: "shell", is_error: false });
  const payload = end?.type === "tool_call_end" ? end.payload : undefined;
  expect(payload?.output_ref).toMatchObject({ path: expect.stringMatching(/^outputs\/.*\.txt$/), truncated: false });
  expect(payload?.content.length).toBeLessThan(256 * 1024);
  expect(payload?.content).toContain("[Exit code: 0.");
  const path = join(report.runFolder ?? "", payload?.output_ref?.path ?? "");
  expect(statSync(path).size).toBe(payload?.output_ref?.bytes);
  expect(statSync(path).size).toBeGreaterThan(7 * 1024 * 1024);
  const stored = readFileSync(path, "utf8");
  expect(stored.startsWith("***REDACTED*** and more text of a long line")).toBe(true);
  expect(stored.includes(KEY)).toBe(false);
  expect(statSync(join(report.runFolder ?? "", "events.jsonl")).size).toBeLessThan(2 * 1024 * 1024);
});

test("a reasoning effort reaches the Responses API as reasoning.effort, through the OpenAI profile [loop-3.4-5]", async () => {
  using workspace = temporaryWorkspace();
  const bodies: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response('{"error":{"message":"no","type":"invalid_request_error"}}', { status: 400 });
  };
  for (const reasoningEffort of ["high", undefined]) {
    const engine = await openAgentEngine({
      env: {},
      apiKey: KEY,
      model: "openai/gpt-5",
      fetch,
      retry: false,
      reasoningEffort,
    });
    await runSession(task(), workspace.options({ engine }));
  }
  expect(bodies).toMatchObject([{ model: "gpt-5", reasoning: { effort: "high" } }, { model: "gpt-5" }]);
  expect(bodies[1]).not.toHaveProperty("reasoning.effort");
});

test("the agent fetches permitted pages, but no pages of this machine [loop-3.6-5]", async () => {
  using workspace = temporaryWorkspace();
  const script = [toolCall("web_fetch", { url: "http://127.0.0.1:9/" }), text("Done.")];
  const refused: string[] = [];
  for (const web of [true, undefined]) {
    const engine = await openAgentEngine({
      env: {},
      client: scriptedClient(script),
      model: "gemini/gemini-2.5-pro",
      web,
    });
    const handle = await startSession(task(), workspace.options({ engine }));
    for await (const event of handle.events()) {
      if (event.type === "tool_call_end") refused.push(event.payload.content);
    }
  }
  expect(refused[0]).toContain("127.0.0.1 was not fetched");
  expect(refused[1]).toContain("Unknown tool: web_fetch");
});
