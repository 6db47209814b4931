import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { MODEL_URL, openRealAgent } from "@switchyard/real-agents";
import { describe, expect, test } from "vitest";
import { type EngineRunOptions, runEngine } from "./run-engine.ts";

// Its sandbox allows writes to everything below the folders for temporary files.
const OUTSIDE = `/var/tmp/switchyard-outside-${randomUUID()}`;

const SCRIPT = {
  tool: [
    {
      text: "I will run a command.",
      calls: [{ name: "exec_command", arguments: { cmd: "echo 'tool ran' > made.txt && cat made.txt" } }],
    },
    { text: "Done." },
  ],
  outside: [
    {
      calls: [
        { name: "exec_command", arguments: { cmd: `echo no > ${OUTSIDE}; curl -sS ${MODEL_URL} && echo reached` } },
      ],
    },
    { text: "It was not allowed." },
  ],
  later: [{ text: "Second turn." }],
  slow: [{ calls: [{ name: "exec_command", arguments: { cmd: "sleep 321" } }] }],
  wrong: [{ error: { status: 401, message: "invalid api key" } }],
};

/** Generous, for a busy machine. */
const STARTUP_MS = 150_000;

// A custom provider, in the form that a user would write.
const CONFIG = `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
[model_providers.scripted]
name = "scripted"
base_url = "${MODEL_URL}/v1"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
`;

interface RealCodex extends AsyncDisposable {
  readonly workspace: string;
  readonly home: string;
  prompt(prompt: string, options?: Partial<EngineRunOptions>): ReturnType<typeof runEngine>;
  requests(): readonly { readonly messages: readonly { readonly text: string }[]; readonly tools: readonly string[] }[];
}

async function openCodex(): Promise<RealCodex | string> {
  const agent = await openRealAgent("codex", { script: SCRIPT, files: { ".codex/config.toml": CONFIG } });
  if (typeof agent === "string") return agent;
  const env = { ...process.env, ...agent.env };
  const environment = await openLocalEnvironment({ root: agent.workspace, env });
  return {
    ...{ workspace: agent.workspace, home: agent.home, requests: agent.requests },
    prompt: (prompt, { config, ...options } = {}) =>
      runEngine(prompt, {
        ...{ environment, ...options },
        config: { command: [...agent.command, "app-server"], startup_timeout_ms: STARTUP_MS, ...config },
      }),
    async [Symbol.asyncDispose]() {
      await environment[Symbol.asyncDispose]();
      await agent.dispose();
    },
  };
}

describe("the real command, without a network", () => {
  test("a tool call in its sandbox, and a resumed second turn [adapter-codex-1] [adapter-usage-4]", async ({
    skip,
  }) => {
    await using codex = await opened(skip);
    const first = await codex.prompt("CASE:tool Do it.");
    expect(first.error).toBeUndefined();
    expect(first.result).toMatchObject({ exit_code: 0, final_message: "Done.", model: "gpt-5.5" });
    expect(first.result).toMatchObject({ input_tokens: 2400, output_tokens: 68 });
    expect(await readFile(join(codex.workspace, "made.txt"), "utf8")).toBe("tool ran\n");
    expect(first.host.ofType("session_start")[0]?.payload).toMatchObject({ model: "gpt-5.5" });
    expect(first.host.ofType("tool_call_end")[0]?.payload).toMatchObject({
      ...{ name: "commandExecution", content: "tool ran\n" },
    });
    const id = first.result?.session_id;
    const second = await codex.prompt("CASE:later Go on.", { input: { session_id: id } });
    expect(second.result).toMatchObject({ final_message: "Second turn.", session_id: id });
    // Only this session's increase of the thread's total.
    expect(second.result).toMatchObject({ input_tokens: 1200, output_tokens: 34 });
    expect(
      codex
        .requests()
        .at(-1)
        ?.messages.some(({ text }) => text.includes("CASE:tool Do it.")),
    ).toBe(true);
  });

  test("its sandbox is effective: nothing is written outside, and there is no network", async ({ skip }) => {
    await using codex = await opened(skip);
    const { error } = await codex.prompt("CASE:outside Try it.");
    expect(error).toBeUndefined();
    // The command reports the actions that its sandbox prevented only to the model.
    const told = codex.requests().at(-1)?.messages.at(-1)?.text;
    expect(told).toContain("Read-only file system");
    expect(told).toContain("connect");
    expect(told).not.toContain("reached");
    expect(existsSync(OUTSIDE)).toBe(false);
  });

  test("settings of the workspace do not count and are not trusted for ever, unless its owner is trusted", async ({
    skip,
  }) => {
    await using codex = await opened(skip);
    await mkdir(join(codex.workspace, ".codex"));
    await writeFile(join(codex.workspace, ".codex/config.toml"), 'model = "gpt-of-the-workspace"\n');
    const { result } = await codex.prompt("CASE:later Do it.");
    expect(result).toMatchObject({ exit_code: 0, model: "gpt-5.5" });
    expect(await readFile(join(codex.home, ".codex/config.toml"), "utf8")).toBe(CONFIG);
    const trusted = await codex.prompt("CASE:later Do it.", { config: { trust_project: true } });
    expect(trusted.result?.model).toBe("gpt-of-the-workspace");
  });

  test("a call that would need an approval is declined, and the turn continues [adapter-codex-3]", async ({ skip }) => {
    await using codex = await opened(skip);
    const { result, host } = await codex.prompt("CASE:tool Do it.", { config: { approval_policy: "untrusted" } });
    expect(result).toMatchObject({ exit_code: 0, final_message: "Done." });
    expect(host.ofType("tool_call_end")[0]?.payload).toMatchObject({ content: "(declined)", is_error: true });
    await expect(readFile(join(codex.workspace, "made.txt"), "utf8")).rejects.toThrow();
  });

  test("MCP servers are started with their secrets, which are in no file", async ({ skip }) => {
    await using codex = await opened(skip);
    const program = `require("node:fs").writeFileSync("started.txt", process.env.TOKEN + process.argv.length)`;
    const mcpServers = {
      files: { command: process.execPath, args: ["-e", program], env: { TOKEN: "its-token-01234" } },
    };
    const { host, error } = await codex.prompt("CASE:later Do it.", { mcpServers });
    expect(error).toBeUndefined();
    expect(await readFile(join(codex.workspace, "started.txt"), "utf8")).toBe("its-token-012341");
    expect(await readFile(join(codex.home, ".codex/config.toml"), "utf8")).toBe(CONFIG);
    // It ends without a message of the protocol, which is reported, and the turn continues.
    const told = host.ofType("notification").map(({ payload }) => payload.message);
    expect(told.some((message) => message.startsWith("the MCP server files failed"))).toBe(true);
  });

  test("a cancelled turn is interrupted, and a refused key is an error of the request [adapter-persistent-6]", async ({
    skip,
  }) => {
    await using codex = await opened(skip);
    const controller = new AbortController();
    const turn = codex.prompt("CASE:slow Wait.", { signal: controller.signal });
    await expect.poll(() => codex.requests().length).toBe(1);
    controller.abort();
    expect((await turn).error?.code).toBe("run.cancelled");
    const wrong = await codex.prompt("CASE:wrong Do it.");
    expect(wrong.error).toMatchObject({ code: "adapter.response_error" });
    expect(wrong.error?.message).toContain("invalid api key");
  });
});

async function opened(skip: (condition: boolean, reason?: string) => void): Promise<RealCodex> {
  const codex = await openCodex();
  const reason = typeof codex === "string" ? codex : undefined;
  skip(reason !== undefined, reason);
  if (typeof codex === "string") throw new Error(codex);
  return codex;
}
