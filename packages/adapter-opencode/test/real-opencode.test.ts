import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { MODEL_URL, openRealAgent } from "@switchyard/real-agents";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EngineRunOptions, runEngine } from "./run-engine.ts";

const call = (name: string, given: Record<string, unknown>) => ({ name, arguments: given });
const SCRIPT = {
  tool: [
    {
      text: "I will run a command.",
      calls: [call("bash", { command: "echo 'tool ran' > made.txt && cat made.txt", description: "run" })],
      usage: { input: 1200, output: 34, cached: 1000 },
    },
    { text: "Done." },
  ],
  later: [{ text: "Second turn." }],
  forbidden: [
    { calls: [call("bash", { command: "touch made.txt", description: "run" })] },
    { calls: [call("read", { filePath: "/etc/hostname" })] },
    { text: "It was not allowed." },
  ],
  mcp: [{ calls: [call("files_shout", { text: "a" })] }, { text: "Called." }],
  wrong: [{ error: { status: 401, message: "invalid api key" } }],
};

/** Generous, for a busy machine. */
const STARTUP_MS = 150_000;

// A custom provider, in the form that a user would write.
const CONFIG = {
  ...{ model: "scripted/small", small_model: "scripted/small" },
  provider: {
    scripted: {
      ...{ npm: "@ai-sdk/openai-compatible", name: "scripted" },
      options: { baseURL: `${MODEL_URL}/v1`, apiKey: "nobody's" },
      models: {
        small: { name: "small", limit: { context: 100_000, output: 4096 } },
        other: { name: "other", limit: { context: 100_000, output: 4096 } },
      },
    },
  },
};

/** An MCP server with one tool, as a program for the command line. */
const SERVER = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const tools = [{ name: "shout", inputSchema: { type: "object", properties: { text: { type: "string" } } } }];
  const serverInfo = { name: "files", version: "1" };
  const answers = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }),
    "tools/list": () => ({ tools }),
    "tools/call": () => ({ content: [{ type: "text", text: "A! " + process.env.TOKEN }] }),
  };
  if (id !== undefined) send({ id, result: (answers[method] ?? (() => ({})))() });
});`;

interface RealOpencode extends AsyncDisposable {
  readonly workspace: string;
  prompt(prompt: string, options?: Partial<EngineRunOptions>): ReturnType<typeof runEngine>;
  requests(): readonly { readonly model: string; readonly messages: readonly { readonly text: string }[] }[];
}

async function openOpencode(): Promise<RealOpencode | string> {
  const files = { ".config/opencode/opencode.json": JSON.stringify(CONFIG) };
  const agent = await openRealAgent("opencode", { script: SCRIPT, files });
  if (typeof agent === "string") return agent;
  const env = { ...process.env, ...agent.env };
  const environment = await openLocalEnvironment({ root: agent.workspace, env });
  const variables = { OPENCODE_DISABLE_MODELS_FETCH: "true" };
  return {
    ...{ workspace: agent.workspace, requests: agent.requests },
    prompt: (prompt, { config, ...options } = {}) =>
      runEngine(prompt, {
        ...{ environment, variables, ...options },
        config: { command: [...agent.command], env: Object.keys(variables), startup_timeout_ms: STARTUP_MS, ...config },
      }),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await agent.dispose();
    },
  };
}

describe("the real command, without a network", { timeout: 300_000 }, () => {
  // One home for all tests: the first start in a new one takes several times as long as the others.
  let opened: RealOpencode | string;
  beforeAll(async () => {
    opened = await openOpencode();
  });
  afterAll(async () => {
    if (typeof opened !== "string") await opened[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    if (typeof opened === "string") return;
    for (const name of ["made.txt", "opencode.json"]) await rm(join(opened.workspace, name), { force: true });
  });

  function agentOr(skip: (reason: string) => never): RealOpencode {
    return typeof opened === "string" ? skip(opened) : opened;
  }

  test("a tool call, and a resumed second turn [adapter-opencode-1] [adapter-resume-1]", async ({ skip }) => {
    const agent = agentOr(skip);
    const first = await agent.prompt("CASE:tool Do it.", { config: { allowed_tools: ["bash"] } });
    expect(first.error).toBeUndefined();
    expect(first.result).toMatchObject({ exit_code: 0, final_message: "Done.", input_tokens: 2400, output_tokens: 68 });
    expect(first.host.totalUsage).toMatchObject({ cacheReadTokens: 1000 });
    expect(first.host.ofType("tool_call_end")[0]?.payload).toMatchObject({ name: "bash", content: "tool ran\n" });
    expect(await readFile(join(agent.workspace, "made.txt"), "utf8")).toBe("tool ran\n");
    const id = first.result?.session_id;
    const second = await agent.prompt("CASE:later Go on.", { input: { session_id: id } });
    expect(second.result).toMatchObject({ final_message: "Second turn.", session_id: id, input_tokens: 1200 });
    const [last] = agent.requests().slice(-1);
    // The prompt is unchanged, without quotes, and the earlier turn is known.
    expect(last?.messages.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["CASE:tool Do it.", "CASE:later Go on."]),
    );
  });

  test("without settings it may not run commands, read elsewhere or take settings of the workspace [adapter-opencode-1]", async ({
    skip,
  }) => {
    const agent = agentOr(skip);
    await writeFile(join(agent.workspace, "opencode.json"), JSON.stringify({ model: "scripted/other" }));
    const before = agent.requests().length;
    const refused = await agent.prompt("CASE:forbidden Do it.");
    expect(refused.error).toBeUndefined();
    expect(existsSync(join(agent.workspace, "made.txt"))).toBe(false);
    expect(refused.result?.final_message).toBe("It was not allowed.");
    const ends = refused.host.ofType("tool_call_end").map(({ payload }) => [payload.name, payload.is_error]);
    expect(ends).toEqual([
      ["bash", true],
      ["read", true],
    ]);
    const models = new Set(
      agent
        .requests()
        .slice(before)
        .map(({ model }) => model),
    );
    expect([...models]).toEqual(["small"]);
    await agent.prompt("CASE:later Do it.", { config: { trust_project: true } });
    expect(agent.requests().at(-1)?.model).toBe("other");
  });

  test("a tool of an MCP server, and a key that is refused", async ({ skip }) => {
    const agent = agentOr(skip);
    const mcpServers = { files: { command: process.execPath, args: ["-e", SERVER], env: { TOKEN: "its-token" } } };
    const called = await agent.prompt("CASE:mcp Do it.", { mcpServers, config: { allowed_tools: ["files_*"] } });
    expect(called.host.ofType("tool_call_end")[0]?.payload).toMatchObject({
      name: "files_shout",
      content: "A! its-token",
    });
    const wrong = await agent.prompt("CASE:wrong Do it.");
    expect(wrong.error).toMatchObject({ code: "adapter.response_error" });
    expect(wrong.error?.message).toContain("invalid api key");
  });
});
