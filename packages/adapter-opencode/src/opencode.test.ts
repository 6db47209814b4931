import { blockWithMode } from "@switchyard/adapter-kit";
import { describe, expect, test } from "vitest";
import { type OpencodeRun, runOpencode } from "../test/run-opencode.ts";
import { opencode } from "./index.ts";

const ID = "ses_of_an_earlier_run";

/** An event of the session. */
function line(type: string, data: unknown, sessionID = ID): unknown {
  return { type, timestamp: 0, sessionID, ...(typeof data === "object" ? data : {}) };
}

const TEXT = line("text", { part: { type: "text", text: "Working." } });
const step = (reason: string): unknown => line("step_finish", { part: { id: reason, reason } });

function runLines(...lines: unknown[]): Promise<OpencodeRun> {
  return runOpencode(`LINES:${JSON.stringify(lines)}`);
}

describe("recordings of the command 1.18.33", () => {
  test("a tool call: the session, its texts, the call and the tokens are reported", async () => {
    const { result, error, host } = await runOpencode("CASE:shell-ok Do it.");
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      ...{ exit_code: 0, final_message: 'Done: made.txt holds "tool ran".', engine: "opencode", turns: 1 },
      ...{ input_tokens: 2400, output_tokens: 68, session_id: "ses_dfff03d88ffe8MAX118PrmWbL4" },
    });
    expect(host.ofType("session_start")[0]?.payload).toMatchObject({ session_id: result?.session_id });
    expect(host.ofType("tool_call_start")[0]?.payload).toMatchObject({
      ...{ name: "bash", arguments: { command: 'printf "tool ran\\n" > made.txt && cat made.txt' } },
    });
    expect(host.ofType("tool_call_end")[0]?.payload).toMatchObject({
      ...{ name: "bash", content: "tool ran\n", duration_ms: 170 },
    });
  });

  test("calls side by side, steps one after another, a command that fails, a file that is written", async () => {
    const parallel = await runOpencode("CASE:parallel");
    expect(parallel.host.ofType("tool_call_end").map(({ payload }) => payload.content)).toEqual(["one\n", "two\n"]);
    const steps = await runOpencode("CASE:steps");
    expect(steps.host.ofType("tool_call_end")).toHaveLength(3);
    expect(steps.result).toMatchObject({ input_tokens: 4800, output_tokens: 136 });
    const failing = await runOpencode("CASE:shell-fail");
    expect(failing.host.ofType("tool_call_end")[0]?.payload.is_error).toBe(true);
    expect(failing.error).toBeUndefined();
    const write = await runOpencode("CASE:write");
    expect(write.host.ofType("tool_call_end")[0]?.payload).toMatchObject({ name: "write" });
  });

  test("a refused key is response_error, without invented tokens; a single retry is not [adapter-usage-2]", async () => {
    const { error, result, host } = await runOpencode("CASE:err-401");
    expect(error).toMatchObject({ code: "adapter.response_error" });
    expect(error?.message).toContain("APIError: invalid api key");
    expect(host.usages).toEqual([]);
    expect(result?.input_tokens).toBeUndefined();
    expect((await runOpencode("CASE:err-429-once")).result?.exit_code).toBe(0);
  });

  test("an earlier session is continued by its id, and so is a run that was cut off [adapter-resume-1]", async () => {
    const { launches, result } = await runOpencode("CASE:resume-b", { input: { session_id: ID } });
    expect(launches[0]?.args).toEqual(expect.arrayContaining(["--session", ID]));
    expect(result).toMatchObject({ session_id: ID, final_message: "Second turn: the number was 42." });
    const first = await runOpencode("CASE:resume-a");
    expect(first.launches[0]?.args).not.toContain("--session");
    const again = await runOpencode("CASE:resume-b", { resumeFrom: first.host.checkpoints[1] });
    expect(again.launches[0]?.args).toEqual(expect.arrayContaining(["--session", first.result?.session_id]));
    expect(again.launches[0]?.prompt).toContain("was cut off");
  });
});

describe("mapping of agent events", () => {
  test("an error is a failure although the command exits 0, whatever follows [adapter-opencode-1]", async () => {
    const named = line("error", { error: { name: "UnknownError", data: { message: "it broke" } } });
    const { error } = await runLines(TEXT, named, step("stop"));
    expect(error).toMatchObject({ code: "adapter.turn_failed" });
    expect(error?.message).toContain("UnknownError: it broke");
    const typed = line("error", { error: { type: "provider.auth", message: "no key" } });
    expect((await runLines(TEXT, typed)).error?.message).toContain("provider.auth: no key");
  });

  test.each([
    [{ name: "UnknownError", data: { message: "Unexpected server error" } }],
    [{ name: "UnknownError" }],
    [{ message: "it broke" }],
  ])("of two errors the specific one is the reason, in any order: %j", async (generic) => {
    const specific = { name: "APIError", data: { message: "quota exceeded", statusCode: 402, isRetryable: false } };
    for (const errors of [
      [generic, specific],
      [specific, generic],
    ]) {
      const { error } = await runLines(...errors.map((one) => line("error", { error: one })));
      expect(error?.message).toContain("APIError: quota exceeded");
      expect(error?.retryable).toBe(false);
    }
  });

  test.each([
    [403, false, "adapter.response_error", false],
    [403, true, "adapter.response_error", true],
    [403, undefined, "adapter.response_error", true],
    [401, false, "adapter.response_error", false],
    [422, false, "adapter.turn_failed", false],
    [500, true, "adapter.turn_failed", true],
  ])("an error %s with isRetryable %s is %s, retryable: %s", async (...row) => {
    const [statusCode, isRetryable, code, retryable] = row;
    const { error } = await runLines(
      TEXT,
      line("error", { error: { name: "APIError", data: { statusCode, isRetryable } } }),
    );
    expect(error).toMatchObject({ code, retryable });
    expect(error?.toWire().retryable).toBe(retryable);
  });

  test("a session that it does not have is replaced by a new one at once [adapter-resume-6]", async () => {
    const { launches, host, error } = await runOpencode("CASE:text", { input: { session_id: "ses_lost" } });
    expect(error).toBeUndefined();
    expect(launches.map(({ args }) => args.includes("--session"))).toEqual([true, false]);
    expect(host.ofType("session_replaced")[0]?.payload).toMatchObject({ session_id: "ses_lost" });
  });

  test.each([
    ["stop", undefined],
    ["tool-calls", "adapter.turn_incomplete"],
    ["length", "adapter.turn_token_limit"],
    ["content-filter", "adapter.turn_refused"],
  ])("a turn whose last step ended as %s: %s", async (reason, code) => {
    expect((await runLines(TEXT, step("tool-calls"), step(reason))).error?.code).toBe(code);
  });

  test("another session that answers is an error", async () => {
    const { error } = await runLines(TEXT, line("text", { part: { text: "Hello." } }, "ses_another"), step("stop"));
    expect(error).toMatchObject({ code: "adapter.response_error" });
    expect(error?.message).toContain("ses_another");
  });

  test("a permission request and an unknown event are reported, and a line that is not an event is malformed", async () => {
    const asking = "\u001B[93m\u001B[1m! \u001B[0mpermission requested: external_directory (/etc/*); auto-rejecting";
    const { host, error } = await runLines(TEXT, asking, line("novelty", {}), "plain text", step("stop"));
    expect(error).toBeUndefined();
    const messages = host.ofType("notification").map(({ payload }) => payload.message);
    expect(messages).toContain("a permission was refused: external_directory (/etc/*); auto-rejecting");
    expect(host.ofType("malformed_output").map(({ payload }) => payload.message)).toEqual(["plain text"]);
    expect(host.ofType("other_message").map(({ payload }) => payload.message)).toEqual(["novelty"]);
  });

  test("a question of its own tool ends the turn [adapter-outcome-12]", async () => {
    const state = { status: "running", input: { questions: [{ question: "Left or right?" }] } };
    const { error } = await runLines(line("tool_use", { part: { tool: "question", callID: "c", state } }));
    expect(error).toMatchObject({ code: "adapter.turn_input_required" });
    expect(error?.message).toContain("Left or right?");
  });

  test("an output of a tool has no colours", async () => {
    const state = { status: "completed", input: { command: "ls" }, output: "\u001b[32mgreen\u001b[0m file" };
    const { host } = await runLines(
      TEXT,
      line("tool_use", { part: { tool: "bash", callID: "c", state } }),
      step("stop"),
    );
    expect(host.ofType("tool_call_end")[0]?.payload.content).toBe("green file");
  });

  test("input includes cached tokens, and output includes reasoning tokens [adapter-usage-1]", async () => {
    const tokens = { total: 1300, input: 200, output: 34, reasoning: 66, cache: { read: 900, write: 100 } };
    const { result, host } = await runLines(TEXT, line("step_finish", { part: { id: "a", reason: "stop", tokens } }));
    expect(result).toMatchObject({ input_tokens: 1200, output_tokens: 100 });
    expect(host.totalUsage).toMatchObject({ cacheReadTokens: 900, cacheWriteTokens: 100 });
  });

  test("thoughts are reported as such", async () => {
    const { host } = await runLines(line("reasoning", { part: { text: "First I think." } }), TEXT, step("stop"));
    expect(host.ofType("other_message").map(({ payload }) => payload.message)).toEqual(["First I think."]);
  });
});

describe("a version that is not understood", () => {
  test("is named if none of its output was understood [adapter-opencode-1]", async () => {
    const { error } = await runOpencode('LINES:["Welcome.","{\\"kind\\":\\"hello\\"}"]', { version: "3.0.1" });
    expect(error).toMatchObject({ code: "adapter.response_error" });
    expect(error?.message).toContain("is version 3.0.1; versions 1 and 2 are understood");
  });

  test.each([
    ["1.18.33", "adapter.turn_failed"],
    ["2.4.0", "adapter.turn_failed"],
    ["a build of my own", "adapter.turn_failed"],
  ])("is not blamed instead of %s, which printed nothing", async (version, code) => {
    const { error } = await runOpencode('LINES:["Welcome."]', { version });
    expect(error?.code).toBe(code);
    expect(error?.message).not.toContain("version");
  });

  test("is not asked of a command that works", async () => {
    const { error } = await runOpencode("CASE:text Do it.", { version: "3.0.1" });
    expect(error).toBeUndefined();
  });
});

describe("the configuration", () => {
  async function launchesWith(
    config: Readonly<Record<string, unknown>>,
    options = {},
  ): Promise<OpencodeRun["launches"][0]> {
    const { launches, error } = await runOpencode("CASE:text Do it.", { config, ...options });
    expect(error).toBeUndefined();
    const [first] = launches;
    if (first === undefined) throw new Error("Nothing was asked.");
    return first;
  }

  test("permissions are in its environment: without settings it may read and no more [adapter-opencode-1] [adapter-capabilities-3]", async () => {
    const { env, args, prompt } = await launchesWith({});
    expect(JSON.parse(env["OPENCODE_PERMISSION"] ?? "")).toEqual({
      ...{ "*": "deny", read: "allow", glob: "allow", grep: "allow", list: "allow" },
      ...{ todoread: "allow", todowrite: "allow", question: "deny" },
    });
    expect(prompt).toBe("CASE:text Do it.");
    expect(args.slice(0, 4)).toEqual(["run", "--format", "json", "--dir"]);
    expect(args).toHaveLength(5);
    expect(env).toMatchObject({
      ...{ OPENCODE_AUTO_SHARE: "false", OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_DISABLE_LSP_DOWNLOAD: "true" },
      ...{ OPENCODE_DISABLE_AUTOCOMPACT: "false", OPENCODE_DISABLE_PROJECT_CONFIG: "true" },
    });
  });

  test("settings become flags and variables, and override those of the environment [adapter-opencode-1] [adapter-arguments-4]", async () => {
    const { env, args } = await launchesWith(
      {
        ...{ model: "acme/large", agent: "build", variant: "high", thinking: true, pure: true },
        ...{ allowed_tools: ["bash", "edit"], denied_tools: ["webfetch"], trust_project: true },
        ...{ disable_autocompact: true, env: ["OPENCODE_PERMISSION"] },
      },
      { variables: { OPENCODE_PERMISSION: '{"*":"allow"}' } },
    );
    expect(args.join(" ")).toContain("--model acme/large --agent build --variant high --thinking --pure");
    expect(JSON.parse(env["OPENCODE_PERMISSION"] ?? "")).toEqual({
      ...{ "*": "deny", bash: "allow", edit: "allow", webfetch: "deny", question: "deny" },
    });
    expect(env).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: "false", OPENCODE_DISABLE_AUTOCOMPACT: "true" });
    const trusted = await launchesWith({ trust_all_tools: true, denied_tools: ["bash"] });
    expect(JSON.parse(trusted.env["OPENCODE_PERMISSION"] ?? "")).toEqual({
      ...{ "*": "allow", bash: "deny", question: "deny" },
    });
  });

  test("plan and ask let it read and no more, and auto everything [adapter-capabilities-3]", async () => {
    const permissionIn = async (mode: "plan" | "ask" | "auto"): Promise<Record<string, string>> => {
      const { env } = await launchesWith(blockWithMode(opencode, { allowed_tools: ["bash"] }, mode));
      return JSON.parse(env["OPENCODE_PERMISSION"] ?? "{}");
    };
    expect(await permissionIn("plan")).toMatchObject({ "*": "deny", read: "allow" });
    expect(await permissionIn("plan")).not.toHaveProperty("bash");
    expect(await permissionIn("ask")).toEqual(await permissionIn("plan"));
    expect(await permissionIn("auto")).toEqual({ "*": "allow", question: "deny" });
  });

  test("MCP servers are in its environment, and in no argument and no file", async () => {
    const mcpServers = {
      files: { command: "files-server", args: ["-v"], env: { TOKEN: "a-token-0123456789" } },
      web: { url: "http://127.0.0.1:1/mcp", headers: { authorization: "a-token-0123456789" } },
    };
    const { launches, remainingFiles } = await runOpencode("CASE:text", { mcpServers });
    expect(launches[0]?.args.join(" ")).not.toContain("a-token");
    expect(remainingFiles).toEqual([]);
    expect(JSON.parse(launches[0]?.env["OPENCODE_CONFIG_CONTENT"] ?? "").mcp).toEqual({
      files: {
        type: "local",
        command: ["files-server", "-v"],
        environment: { TOKEN: "a-token-0123456789" },
        enabled: true,
      },
      web: { type: "remote", url: "http://127.0.0.1:1/mcp", headers: mcpServers.web.headers, enabled: true },
    });
  });

  test("the address of the model's provider is in its environment, with a reference to the key", async () => {
    const configOf = async (config: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const { env } = await launchesWith(config);
      return JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "");
    };
    const baseURL = "http://127.0.0.1:9/v1";
    const acme = { model: "acme/org/large", base_url: baseURL, api_key_env: "ACME_API_KEY" };
    expect(opencode.variableNames(acme)).toContain("ACME_API_KEY");
    expect(await configOf(acme)).toEqual({
      provider: {
        acme: {
          ...{ npm: "@ai-sdk/openai-compatible", name: "acme", models: { "org/large": { name: "org/large" } } },
          options: { baseURL, apiKey: "{env:ACME_API_KEY}" },
        },
      },
    });
    expect(await configOf({ model: "openai/m", base_url: baseURL })).toEqual({
      provider: { openai: { options: { baseURL } } },
    });
    expect(await configOf({ model: "openai/m" })).toEqual({});
  });

  test.each([
    [{ allowed_tools: ["bash"], denied_tools: ["bash"] }, "bash is in denied_tools as well"],
    [{ trust_all_tools: true, allowed_tools: ["bash"] }, "exclude each other"],
    [{ allowed_tools: ["*"] }, "trust_all_tools stands for all"],
    [{ thinking: "yes" }, "is not true or false"],
    [{ modle: "x" }, "the setting is unknown"],
  ])("%j is refused when the adapter is made [adapter-passthrough-config-2]", (block, problem) => {
    expect(() => opencode.create(block)).toThrow(problem);
  });
});

test("the provider of the model decides where model calls go, and whether they can be redirected", () => {
  const routeOf = (model: string, block: object = {}) => opencode.modelRoute?.({ model, ...block });
  expect(routeOf("anthropic/m")).toEqual({ provider: "anthropic", apis: ["anthropic-messages"] });
  expect(routeOf("openai/m")).toEqual({ provider: "openai", apis: ["openai-responses"] });
  expect(routeOf("google/m")).toEqual({ provider: "gemini", apis: ["gemini"] });
  expect(routeOf("openai/m", { base_url: "http://127.0.0.1:9" })?.directReason).toContain("base_url");
  for (const model of ["mine/m", "anthropic", ""]) {
    expect(routeOf(model)?.directReason).toContain("anthropic, openai, google");
  }
});
