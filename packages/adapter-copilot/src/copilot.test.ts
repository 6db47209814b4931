import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockWithMode } from "@switchyard/adapter-kit";
import { sandboxReadiness } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { runLines, runRecording } from "../test/run-recording.ts";
import { copilot } from "./index.ts";

const ID = "3f1f0a52-6a54-4f0e-8c2e-5d1b1a5a9a10";

function flagValue(args: readonly string[] = [], flag: string): string | undefined {
  return args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

describe("recordings of the command 1.0.102", () => {
  test("a tool call: its output, the texts, and the tokens out of the session's own file [adapter-copilot-1] [adapter-copilot-2]", async () => {
    const { result, error, host, launches } = await runRecording("shell-ok");
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      ...{ exit_code: 0, final_message: 'Done: made.txt holds "tool ran".', engine: "copilot", model: "mock-model" },
      ...{ input_tokens: 2400, output_tokens: 68, turns: 1 },
    });
    const id = flagValue(launches[0]?.args, "--session-id");
    expect(id).toMatch(/^[\da-f-]{36}$/u);
    expect(result?.session_id).toBe(id);
    expect(host.ofType("session_start")[0]?.payload).toMatchObject({ session_id: id });
    expect(host.ofType("tool_call_start").map(({ payload }) => [payload.name, payload.arguments])).toEqual([
      ["bash", { command: 'printf "tool ran\\n" > made.txt && cat made.txt', description: "run" }],
    ]);
    expect(host.ofType("tool_call_end")[0]?.payload.content).toContain("tool ran\n");
    expect(host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual([
      "I will run a command.",
      'Done: made.txt holds "tool ran".',
    ]);
  });

  test("calls side by side, steps one after another, a command that fails, a file [adapter-structured-output-1]", async () => {
    const parallel = await runRecording("parallel");
    const ended = parallel.host.ofType("tool_call_end").map(({ payload }) => payload.content.split("\n")[0]);
    expect(ended.sort()).toEqual(["one", "two"]);
    expect((await runRecording("steps")).host.ofType("tool_call_end")).toHaveLength(3);
    const failing = await runRecording("shell-fail");
    expect(failing.host.ofType("tool_call_end")[0]?.payload.is_error).toBe(true);
    expect(failing.error).toBeUndefined();
    const [created] = (await runRecording("write")).host.ofType("tool_call_start");
    expect(created?.payload.name).toBe("create");
  });

  test("a permission that was not granted is a failed tool call, and the turn continues [adapter-permissions-1]", async () => {
    const { error, host } = await runRecording("denied");
    expect(error).toBeUndefined();
    expect(host.ofType("tool_call_end").map(({ payload }) => payload.is_error)).toEqual([true]);
    expect(host.ofType("tool_call_end")[0]?.payload.content).toContain("Permission denied");
  });

  test("an API that refuses the key is a failure with the command's own reason, and no tokens are made up [adapter-copilot-1] [adapter-usage-2]", async () => {
    const { error, result, host } = await runRecording("err-401");
    expect(error).toMatchObject({ code: "adapter.response_error", retryable: true });
    expect(error?.message).toContain("HTTP 401");
    expect(result?.exit_code).toBe(1);
    expect(host.usages).toEqual([]);
  });

  test("a repeated request is reported, and the turn completes", async () => {
    const { error, result, host } = await runRecording("err-429-once");
    expect(error).toBeUndefined();
    expect(result?.final_message).toBe("Recovered after one 429.");
    expect(host.ofType("notification").some(({ payload }) => payload.message.includes("(429)"))).toBe(true);
  });

  test("an autopilot that stopped before it called its task done is not done [adapter-copilot-1]", async () => {
    const { error, launches } = await runRecording("autopilot", { config: { autopilot: true } });
    expect(error).toMatchObject({ code: "adapter.turn_incomplete" });
    expect(launches[0]?.args).toEqual(expect.arrayContaining(["--autopilot", "--max-autopilot-continues=50"]));
    expect((await runRecording("autopilot")).error).toBeUndefined();
  });

  test("an earlier session is continued by its id, and its tokens are not counted again [adapter-resume-1] [adapter-usage-3]", async () => {
    const home = await mkdtemp(join(tmpdir(), "switchyard-copilot-home-"));
    const first = await runRecording("resume-a", { home });
    const session_id = first.result?.session_id;
    expect(first.result).toMatchObject({ input_tokens: 2400, output_tokens: 68 });
    const second = await runRecording("resume-b", { home, input: { session_id } });
    expect(flagValue(second.launches[0]?.args, "--resume")).toBe(session_id);
    expect(flagValue(second.launches[0]?.args, "--session-id")).toBeUndefined();
    expect(second.result).toMatchObject({ session_id, input_tokens: 1200, output_tokens: 34 });
    expect(second.result?.final_message).toBe("Second turn: the number was 42.");
    await rm(home, { recursive: true });
  });

  test("in a sandbox, the tokens are read from the folder that the adapter creates for the state [adapter-usage-3]", async ({
    skip,
  }) => {
    const { missing } = await sandboxReadiness({ ...process.env });
    skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
    const { result, error } = await runRecording("resume-a", { isSandboxed: true });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ input_tokens: 2400, output_tokens: 68 });
  });

  test("an interrupted run continues in the same session, and the prompt mentions the interruption [adapter-resume-1] [D5]", async () => {
    const first = await runRecording("resume-a");
    const second = await runRecording("resume-b", { resumeFrom: first.host.checkpoints[1] });
    expect(flagValue(second.launches[0]?.args, "--resume")).toBe(first.result?.session_id);
    expect(flagValue(second.launches[0]?.args, "--prompt")).toContain("was cut off");
  });
});

describe("mapping of agent events", () => {
  const message = { type: "assistant.message", data: { content: "Working." } };
  const result = { type: "result", sessionId: ID, exitCode: 0 };

  test("an unknown event is reported by its name, and heartbeats are not", async () => {
    const { host, error } = await runLines([
      { type: "session.novelty", data: {} },
      { type: "assistant.idle" },
      message,
      result,
    ]);
    expect(error).toBeUndefined();
    expect(host.ofType("other_message").map(({ payload }) => payload.message)).toEqual(["session.novelty"]);
  });

  test("no event of the recordings is unknown", async () => {
    for (const name of ["shell-ok", "parallel", "err-429-once", "err-401", "denied"]) {
      expect((await runRecording(name)).host.ofType("other_message")).toEqual([]);
    }
  });

  test.each(["SIGHUP", "SIGINT", "SIGTERM", "129", "130", "143"])(
    "its last line does not count when it was asked to stop: %s",
    async (ending) => {
      expect((await runLines([message, result], { ending })).error).toBeDefined();
    },
  );

  test("its last line counts when it fails afterwards", async () => {
    expect((await runLines([message, result], { ending: "1" })).error).toBeUndefined();
  });

  test("its summary of a completed task counts as evidence of work [adapter-outcome-18]", async () => {
    const done = { type: "session.task_complete", data: { success: true, summary: "All three files are renamed." } };
    const { result: warned, error } = await runLines([done, result]);
    expect(error).toBeUndefined();
    expect(warned?.final_message).toBe("All three files are renamed.");
    expect((await runLines([result])).error).toMatchObject({ code: "adapter.turn_failed" });
  });

  test("a session that it does not have is replaced by a new one at once [adapter-resume-6]", async () => {
    const { launches, host, error } = await runRecording("text", { input: { session_id: "lost" } });
    expect(error).toBeUndefined();
    expect(launches.map(({ args }) => flagValue(args, "--resume"))).toEqual(["lost", undefined]);
    expect(host.ofType("session_replaced")[0]?.payload).toMatchObject({ session_id: "lost" });
  });
});

describe("the configuration", () => {
  async function argsOf(config: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const { launches, error } = await runRecording("text", { config });
    expect(error).toBeUndefined();
    return launches[0]?.args ?? [];
  }

  test("unset settings are omitted, and nothing is permitted by default [adapter-arguments-4] [adapter-capabilities-3] [adapter-testing-4]", async () => {
    const args = await argsOf({});
    expect(args).toEqual([
      ...["--output-format=json", "--no-color", "--no-ask-user", "--no-auto-update"],
      expect.stringMatching(/^--session-id=/u),
      "--prompt=CASE:text Please do what the case says.",
    ]);
  });

  test("settings become flags of the command [adapter-arguments-4] [adapter-testing-4]", async () => {
    const args = await argsOf({
      ...{ model: "gpt-5.5", agent: "reviewer", allowed_tools: ["shell(npm test)", "write"], denied_tools: ["url"] },
      ...{ available_tools: ["bash"], excluded_tools: ["web_fetch"], trust_project: true },
      ...{ disable_builtin_mcps: true, no_custom_instructions: true },
    });
    expect(args).toEqual(
      expect.arrayContaining([
        ...["--model=gpt-5.5", "--agent=reviewer", "--allow-tool=shell(npm test)", "--allow-tool=write"],
        ...["--deny-tool=url", "--available-tools=bash", "--excluded-tools=web_fetch", "--trust-folder"],
        ...["--disable-builtin-mcps", "--no-custom-instructions"],
      ]),
    );
    expect(args).not.toContain("--allow-all");
    expect(await argsOf({ trust_all_tools: true, denied_tools: ["url"] })).toEqual(
      expect.arrayContaining(["--allow-all", "--deny-tool=url"]),
    );
  });

  test("plan denies changes, ask denies calls that need a permission, and auto denies nothing [adapter-capabilities-3]", async () => {
    const block = { allowed_tools: ["write"], model: "gpt-5.5" };
    const plan = await argsOf(blockWithMode(copilot, block, "plan"));
    expect(plan).toEqual(expect.arrayContaining(["--deny-tool=write", "--deny-tool=shell", "--model=gpt-5.5"]));
    const ask = await argsOf(blockWithMode(copilot, block, "ask"));
    expect([...plan, ...ask].filter((arg) => arg.startsWith("--allow"))).toEqual([]);
    expect(await argsOf(blockWithMode(copilot, block, "auto"))).toContain("--allow-all");
  });

  test("MCP servers are in a file that is removed afterwards, and none of their secrets is an argument [adapter-arguments-4] [adapter-credentials-3]", async () => {
    const mcpServers = { files: { command: "files-server", env: { TOKEN: "a-token-0123456789" } } };
    const run = await runRecording("text", { mcpServers });
    const file = flagValue(run.launches[0]?.args, "--additional-mcp-config");
    expect(file).toMatch(/^@\//u);
    expect(run.launches[0]?.args.join()).not.toContain("a-token");
    expect(run.launches[0]?.mcpConfig).toEqual({ mcpServers });
    expect(run.remainingFiles.some((name) => file?.split("/").includes(name))).toBe(false);
  });

  test("a session is known by an id of ours from the start [adapter-copilot-2] [adapter-resume-5]", async () => {
    const { launches } = await runRecording("text", { input: { session_id: ID } });
    expect(flagValue(launches[0]?.args, "--resume")).toBe(ID);
  });

  test.each([
    [{ trust_all_tools: true, allowed_tools: ["write"] }, "trust_all_tools and allowed_tools exclude each other"],
    [{ allowed_tools: ["write"], denied_tools: ["write"] }, "in denied_tools as well"],
    [{ max_continues: 5 }, "it has an effect only with autopilot"],
    [{ modle: "x" }, "the setting is unknown"],
  ])(
    "%j is refused when the adapter is made [adapter-passthrough-config-1] [adapter-passthrough-config-2]",
    (block, problem) => {
      expect(() => copilot.create(block)).toThrow(problem);
    },
  );
});

test("model calls are redirected if the variables name a known provider, whose type they match", () => {
  const routeOf = (variables: Readonly<Record<string, string>>) =>
    copilot.modelRoute?.(
      {},
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, secret(value)])),
    );
  expect(routeOf({})?.directReason).toContain("the models of GitHub");
  const openai = { COPILOT_PROVIDER_BASE_URL: "https://api.openai.com/v1" };
  expect(routeOf(openai)).toEqual({ provider: "openai", apis: ["openai-chat"] });
  expect(routeOf({ ...openai, COPILOT_PROVIDER_TYPE: "azure" })?.directReason).toContain("COPILOT_PROVIDER_TYPE");
  const anthropic = { COPILOT_PROVIDER_BASE_URL: "https://api.anthropic.com", COPILOT_PROVIDER_TYPE: "anthropic" };
  expect(routeOf(anthropic)).toEqual({ provider: "anthropic", apis: ["anthropic-messages"] });
  expect(routeOf({ COPILOT_PROVIDER_BASE_URL: "http://127.0.0.1:9" })?.directReason).toContain("api.openai.com");
});
