import { blockWithoutUser } from "@switchyard/adapter-kit";
import { sandboxReadiness } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { describe, expect, test } from "vitest";
import { runLines, runRecording } from "../test/run-recording.ts";
import { claudeCode } from "./index.ts";

const ID = "3f1f0a52-6a54-4f0e-8c2e-5d1b1a5a9a10";

describe("recordings of the command 2.1.197", () => {
  test("a tool call: the session, its texts, the call and the tokens are reported [adapter-claude-code-1] [adapter-claude-code-2] [adapter-claude-code-4]", async () => {
    const { result, error, host, launches } = await runRecording("shell-ok");
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      ...{ exit_code: 0, final_message: 'Done: made.txt holds "tool ran".', engine: "claude-code" },
      ...{ model: "claude-sonnet-4-5", input_tokens: 2400, output_tokens: 68, turns: 1 },
    });
    const id = launches[0]?.args[launches[0].args.indexOf("--session-id") + 1];
    expect(result?.session_id).toBe(id);
    expect(host.ofType("session_start")[0]?.payload).toMatchObject({ session_id: id, model: "claude-sonnet-4-5" });
    expect(host.ofType("tool_call_start")[0]?.payload).toMatchObject({
      ...{ id: "toolu_0Hzujyp6m7mpycGU", name: "Bash" },
      arguments: { command: 'printf "tool ran\\n" > made.txt && cat made.txt', description: "run" },
    });
    expect(host.ofType("tool_call_end")[0]?.payload).toMatchObject({ name: "Bash", content: "tool ran" });
    expect(host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual([
      "I will run a command.",
      'Done: made.txt holds "tool ran".',
    ]);
    expect(host.totalUsage).toMatchObject({ inputTokens: 2400, outputTokens: 68, costMicros: 8220 });
    expect(host.ofType("processing_end").map(({ payload }) => payload.outcome)).toEqual(["completed"]);
  });

  test("calls side by side, steps one after another, a command that fails [adapter-structured-output-1]", async () => {
    const parallel = await runRecording("parallel");
    expect(parallel.host.ofType("tool_call_end").map(({ payload }) => payload.content)).toEqual(["one", "two"]);
    const steps = await runRecording("steps");
    expect(steps.host.ofType("tool_call_end")).toHaveLength(3);
    expect(steps.result).toMatchObject({ input_tokens: 4800, output_tokens: 136 });
    const failing = await runRecording("shell-fail");
    expect(failing.host.ofType("tool_call_end")[0]?.payload.is_error).toBe(true);
    expect(failing.error).toBeUndefined();
  });

  test("a failed response of the model's API is a failure although the line says success, with no invented work or tokens [adapter-claude-code-4] [adapter-usage-2]", async () => {
    const { error, result, host } = await runRecording("err-401");
    expect(error).toMatchObject({ code: "adapter.response_error", retryable: true });
    expect(error?.message).toContain("401 invalid api key");
    expect(host.usages).toEqual([]);
    expect(result?.exit_code).toBe(1);
    expect(result?.input_tokens).toBeUndefined();
    expect(host.ofType("notification").filter(({ payload }) => payload.message.includes("asked again"))).toHaveLength(
      2,
    );
  });

  test("a repeated request is reported, and the turn completes", async () => {
    const { error, result, host } = await runRecording("err-429-once");
    expect(error).toBeUndefined();
    expect(result?.final_message).toBe("Recovered after one 429.");
    const messages = host.ofType("notification").map(({ payload }) => payload.message);
    expect(messages.join()).toMatch(/the model is asked again in \d+ ms \(1 of 10\): rate_limit, HTTP 429/u);
  });

  test("an earlier session is continued by its id [adapter-claude-code-3] [adapter-resume-1]", async () => {
    const { launches, result } = await runRecording("resume-b", { input: { session_id: ID } });
    expect(launches[0]?.args).toEqual(expect.arrayContaining(["--resume", ID]));
    expect(launches[0]?.args).not.toContain("--session-id");
    expect(result).toMatchObject({ session_id: ID, final_message: "Second turn: the number was 42." });
  });

  test("an interrupted run continues in the same session, and the prompt mentions the interruption [adapter-claude-code-3] [D5]", async () => {
    const first = await runRecording("resume-a");
    const second = await runRecording("resume-b", { resumeFrom: first.host.checkpoints[1] });
    expect(second.launches[0]?.args).toEqual(expect.arrayContaining(["--resume", first.result?.session_id]));
    expect(second.launches[0]?.prompt).toContain("was cut off");
    expect(second.launches[0]?.prompt).toContain("CASE:resume-a");
  });

  test("a run that was over is over", async () => {
    const first = await runRecording("text");
    const again = await runRecording("text", { resumeFrom: first.host.checkpoints.at(-1) });
    expect(again.launches).toEqual([]);
    expect(again.result).toEqual(first.result);
  });
});

describe("mapping of a result", () => {
  const init = { type: "system", subtype: "init", session_id: ID, model: "claude-sonnet-4-5" };
  const result = { type: "result", subtype: "success", is_error: false, session_id: ID };
  const message = {
    type: "assistant",
    message: { id: "m", model: "m", content: [{ type: "text", text: "Working." }] },
  };

  test("a success with a text is work, and its text is the result [adapter-outcome-18]", async () => {
    const run = await runLines([init, { ...result, result: "Total cost: $0.12" }]);
    expect(run.error).toBeUndefined();
    expect(run.result).toMatchObject({ exit_code: 0, final_message: "Total cost: $0.12" });
    expect(run.host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual(["Total cost: $0.12"]);
  });

  test("its text is the final message if the model said something else before, and is not emitted twice", async () => {
    const run = await runLines([init, message, { ...result, result: "The report is in a.md." }]);
    expect(run.result?.final_message).toBe("The report is in a.md.");
    expect(run.host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual(["Working."]);
  });

  test.each(["", "  \n"])(
    "a success with the text %j and without work is a failure [adapter-outcome-9]",
    async (text) => {
      const { error } = await runLines([init, { ...result, result: text }]);
      expect(error).toMatchObject({ code: "adapter.turn_failed" });
    },
  );

  test("an error that calls itself a success is a failure, whatever its text [adapter-outcome-7]", async () => {
    const { error } = await runLines([init, { ...result, is_error: true, result: "Credit balance is too low" }]);
    expect(error?.message).toContain("Credit balance is too low");
  });

  test.each([
    [
      { attempt: 1, max_retries: 2, retry_delay_ms: 606.5, error_status: 401, error: "authentication_failed" },
      "the model is asked again in 607 ms (1 of 2): authentication_failed, HTTP 401",
    ],
    [
      { attempt: 1, max_retries: 2, retry_delay_ms: 100, error_status: null, error: { message: "connection lost" } },
      "the model is asked again in 100 ms (1 of 2): connection lost",
    ],
    [{ attempt: 1, max_retries: 2 }, "the model is asked again (1 of 2): no reason was given"],
  ])("a retry is reported with its delay and its status, as far as they are known: %j", async (event, expected) => {
    const { host } = await runLines([init, { type: "system", subtype: "api_retry", ...event }, message, result]);
    expect(host.ofType("notification").map(({ payload }) => payload.message)).toContain(expected);
  });

  test("a text of the command itself is a notification, not work of the model", async () => {
    const own = {
      type: "assistant",
      message: { id: "x", model: "<synthetic>", content: [{ type: "text", text: "API Error" }] },
    };
    const { host } = await runLines([init, own, message, result]);
    expect(host.ofType("notification").map(({ payload }) => payload.message)).toContain("API Error");
    expect(host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual(["Working."]);
  });
});

describe("a session that the command does not have", () => {
  test.each(["lost", "lost-in-an-old-release", "lost-by-name"])(
    "is replaced by a new one at once, which gets the whole conversation: %s [adapter-resume-6]",
    async (session_id) => {
      const messages = [
        { role: "user" as const, content: "What is 6 x 7?" },
        { role: "assistant" as const, content: "42." },
        { role: "user" as const, content: "CASE:text Go on." },
      ];
      const { launches, result, host, error } = await runRecording("text", { input: { session_id, messages } });
      expect(error).toBeUndefined();
      expect(launches.map(({ args }) => args.includes("--resume"))).toEqual([true, false]);
      expect(launches[1]?.prompt).toContain("What is 6 x 7?");
      expect(launches[1]?.prompt).not.toContain("was cut off");
      expect(result?.session_id).not.toBe(session_id);
      expect(host.ofType("session_replaced").map(({ payload }) => payload)).toEqual([
        {
          session_id,
          message: expect.stringMatching(
            `^The session ${session_id} cannot be resumed, so a new one was started: .*No conversation found with session ID.*: ${session_id}.$`,
          ),
        },
      ]);
    },
  );

  test("a model's text about a missing session has no effect", async () => {
    const text = "No conversation found with session ID: x";
    const failed = {
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      session_id: ID,
      errors: [text],
    };
    const content = [{ type: "text", text }];
    const message = { type: "assistant", message: { id: "m", model: "m", content } };
    const { error, launches } = await runLines([message, failed], { input: {} });
    expect(error).toMatchObject({ code: "adapter.turn_failed" });
    expect(launches).toHaveLength(1);
  });
});

describe("the configuration", () => {
  async function argsOf(config: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    const { launches, error } = await runRecording("text", { config });
    expect(error).toBeUndefined();
    return launches[0]?.args ?? [];
  }
  const after = (args: readonly string[], flag: string): string | undefined =>
    args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;

  test("unset settings are omitted, and nothing is permitted by default [adapter-arguments-4] [adapter-capabilities-3] [adapter-testing-4]", async () => {
    const args = await argsOf({});
    expect(args.slice(0, 4)).toEqual(["-p", "--output-format", "stream-json", "--verbose"]);
    expect(after(args, "--permission-mode")).toBe("dontAsk");
    for (const flag of ["--model", "--max-turns", "--resume", "--dangerously-skip-permissions", "--allowedTools"]) {
      expect(args.some((arg) => arg.startsWith(flag))).toBe(false);
    }
  });

  test("settings become flags of the command [adapter-arguments-4] [adapter-testing-4]", async () => {
    const args = await argsOf({
      ...{
        model: "claude-sonnet-4-5",
        fallback_model: "claude-haiku",
        max_turns: 7,
        effort: "high",
        max_budget_usd: 1.5,
      },
      ...{ permission_mode: "acceptEdits", allowed_tools: ["Bash", "Read"], disallowed_tools: ["WebFetch"] },
      append_system_prompt: "Be brief.",
    });
    expect(after(args, "--model")).toBe("claude-sonnet-4-5");
    expect(after(args, "--fallback-model")).toBe("claude-haiku");
    expect(after(args, "--max-turns")).toBe("7");
    expect(after(args, "--max-budget-usd")).toBe("1.5");
    expect(after(args, "--effort")).toBe("high");
    expect(after(args, "--permission-mode")).toBe("acceptEdits");
    expect(args).toEqual(expect.arrayContaining(["--allowedTools=Bash,Read", "--disallowedTools=WebFetch"]));
    expect(after(args, "--append-system-prompt")).toBe("Be brief.");
    expect(after(args, "--setting-sources")).toBe("user");
    expect(await argsOf({ trust_project: true })).not.toContain("--setting-sources");
    expect(await argsOf({ trust_all_tools: true })).toContain("--dangerously-skip-permissions");
  });

  test("a server with the API of Anthropic gets the key in the variable that the settings name", async () => {
    const config = { base_url: "http://127.0.0.1:9", api_key_env: "ACME_API_KEY" };
    const variables = { ACME_API_KEY: secret("acme-key-0123456789"), OTHER_API_KEY: secret("other-key-0123456789") };
    const { launches } = await runRecording("text", { config, variables });
    expect(launches[0]?.env).toMatchObject({
      ...{ ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "acme-key-0123456789" },
      ANTHROPIC_AUTH_TOKEN: "acme-key-0123456789",
    });
    expect(launches[0]?.args.join()).not.toContain("acme-key");
    expect(claudeCode.variableNames(config)).toContain("ACME_API_KEY");
  });

  test("without a user, everything is allowed, also for root, and skills of the workspace are used but no hooks", async () => {
    const { launches } = await runRecording("text", { config: blockWithoutUser(claudeCode, {}) });
    const [args = [], env] = [launches[0]?.args, launches[0]?.env];
    expect(after(args, "--permission-mode")).toBe("bypassPermissions");
    expect(after(args, "--settings")).toBe('{"disableAllHooks":true}');
    expect(args).not.toContain("--setting-sources");
    expect(env).toMatchObject({ IS_SANDBOX: "1" });
  });

  test("in a sandbox, the command gets a folder for its state, and outside a sandbox it does not", async ({ skip }) => {
    const { missing } = await sandboxReadiness({ ...process.env });
    skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
    const { launches, error } = await runRecording("text", { isSandboxed: true });
    expect(error).toBeUndefined();
    expect(launches[0]?.env).toMatchObject({ CLAUDE_CONFIG_DIR: "/var/tmp/agent-state/claude" });
    expect((await runRecording("text")).launches[0]?.env).not.toHaveProperty("CLAUDE_CONFIG_DIR");
  });

  test("the smaller limit of turns applies, and MCP servers are in a file that is removed afterwards [adapter-arguments-4]", async () => {
    const { launches } = await runRecording("text", { config: { max_turns: 7 }, input: { max_turns: 3 } });
    expect(after(launches[0]?.args ?? [], "--max-turns")).toBe("3");
    const mcpServers = { files: { command: "files-server", env: { TOKEN: "a-token-0123456789" } } };
    const run = await runRecording("text", { mcpServers });
    const file = run.launches[0]?.args.find((arg) => arg.startsWith("--mcp-config="));
    expect(run.launches[0]?.args).toContain("--strict-mcp-config");
    expect(run.launches[0]?.args.join()).not.toContain("a-token");
    expect(run.launches[0]?.mcpConfig).toEqual({ mcpServers });
    expect(run.remainingFiles.some((name) => file?.split("/").includes(name))).toBe(false);
  });

  test.each([
    [{ permission_mode: "default" }, "could wait for a person"],
    [{ permission_mode: "sometimes" }, "is not one of"],
    [{ trust_all_tools: true, allowed_tools: ["Bash"] }, "trust_all_tools and allowed_tools exclude each other"],
    [{ allowed_tools: ["Bash"], disallowed_tools: ["Bash"] }, "in disallowed_tools as well"],
    [{ max_turns: "many" }, "is not a number"],
    [{ modle: "x" }, "the setting is unknown"],
  ])(
    "%j is refused when the adapter is made [adapter-passthrough-config-1] [adapter-passthrough-config-2] [adapter-permissions-2]",
    (block, problem) => {
      expect(() => claudeCode.create(block)).toThrow(problem);
    },
  );
});

test("model calls are redirected unless the settings name another server or API key", () => {
  const route = { provider: "anthropic", apis: ["anthropic-messages"] };
  expect(claudeCode.modelRoute?.({ model: "m" })).toEqual(route);
  for (const block of [{ base_url: "http://127.0.0.1:9" }, { api_key_env: "WORK_KEY" }]) {
    expect(claudeCode.modelRoute?.(block)).toEqual({ ...route, directReason: expect.stringContaining("base_url") });
  }
});
