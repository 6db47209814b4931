import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type AcpRunOptions, type Noted, runAcp, runRecording } from "../test/run-acp.ts";
import { acp, acpKinds } from "./index.ts";

const SDK_AGENT = fileURLToPath(new URL("../test/sdk-agent.mjs", import.meta.url));
const TRUSTED = { config: { trust_all_tools: true } };

/** Runs an agent made with the protocol's own library, which refuses messages that are wrong. */
function runSdkAgent(prompt: string, options: AcpRunOptions = {}) {
  return runAcp([SDK_AGENT], { ...options, input: { messages: [{ role: "user", content: prompt }] } });
}

function requestParams(noted: readonly Noted[], method: string): Readonly<Record<string, unknown>> | undefined {
  return noted.find((one) => one.method === method)?.params;
}

describe("recordings of real agents", () => {
  test.each([
    { recording: "gemini-0.61.0", kind: "acp:gemini", tool: "execute", model: "gemini-2.5-pro", output: "" },
    { recording: "opencode-1.18.33", kind: "acp:opencode", tool: "execute", model: "mock/m", output: "tool ran\n" },
    {
      recording: "codex-acp-2.6.0",
      kind: "acp:codex-acp",
      tool: "exec_command",
      model: "gpt-5.5",
      output: "tool ran\n",
    },
  ])(
    "$recording: a tool call with its output, the texts around it and how the turn ended [adapter-acp-1] [adapter-structured-output-1]",
    async ({ recording, kind, tool, model, output }) => {
      const { result, error, host } = await runRecording(recording, "shell-ok", { kind, ...TRUSTED });
      expect(error).toBeUndefined();
      expect(result).toMatchObject({ exit_code: 0, final_message: 'Done: made.txt holds "tool ran".', engine: kind });
      expect(result?.model).toBe(model);
      expect(host.ofType("tool_call_start").map(({ payload }) => payload.name)).toEqual([tool]);
      expect(JSON.stringify(host.ofType("tool_call_start")[0]?.payload.arguments)).toContain("made.txt");
      expect(host.ofType("tool_call_end").map(({ payload }) => [payload.content, payload.is_error])).toEqual([
        [output, undefined],
      ]);
      expect(host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual([
        "I will run a command.",
        'Done: made.txt holds "tool ran".',
      ]);
    },
  );

  test("the tokens are those of the whole turn, and tokens of a single request are not reported [adapter-usage-2] [adapter-usage-3]", async () => {
    const used = async (recording: string, kind: string): Promise<unknown> =>
      (await runRecording(recording, "shell-ok", { kind, ...TRUSTED })).host.totalUsage;
    expect(await used("gemini-0.61.0", "acp:gemini")).toMatchObject({ inputTokens: 2400, outputTokens: 68 });
    expect(await used("codex-acp-2.6.0", "acp:codex-acp")).toMatchObject({ inputTokens: 2400, outputTokens: 68 });
    const { host } = await runRecording("opencode-1.18.33", "shell-ok", { kind: "acp:opencode", ...TRUSTED });
    expect(host.usages).toEqual([]);
  });

  test("a text that comes in pieces is one text [adapter-structured-output-1]", async () => {
    const { result, host } = await runRecording("gemini-0.61.0", "text", { kind: "acp:gemini" });
    expect(result?.final_message).toBe("😀 Hello from the mock.\nSecond line: héllo — ✓ 日本");
    expect(host.ofType("assistant_text_end")).toHaveLength(1);
  });

  test("without configured permissions, a permission request is refused by the agent's own option [adapter-permissions-1] [adapter-capabilities-3]", async () => {
    const { noted, host, error } = await runRecording("gemini-0.61.0", "shell-ok", { kind: "acp:gemini" });
    expect(error).toBeUndefined();
    expect(noted.find(({ result }) => result !== undefined)?.result).toEqual({
      outcome: { outcome: "selected", optionId: "cancel" },
    });
    expect(host.ofType("notification").map(({ payload }) => payload.message)).toContain(
      'a permission was refused: printf "tool ran\\n" > made.txt && cat made.txt',
    );
  });

  test("a listed kind of tool is permitted once, and never permanently [adapter-capabilities-3]", async () => {
    const config = { allowed_kinds: ["execute"] };
    const { noted } = await runRecording("gemini-0.61.0", "shell-ok", { kind: "acp:gemini", config });
    expect(noted.find(({ result }) => result !== undefined)?.result).toEqual({
      outcome: { outcome: "selected", optionId: "proceed_once" },
    });
    const other = await runRecording("gemini-0.61.0", "shell-ok", {
      ...{ kind: "acp:gemini", config: { allowed_kinds: ["read"] } },
    });
    expect(other.noted.find(({ result }) => result !== undefined)?.result).toMatchObject({
      outcome: { optionId: "cancel" },
    });
  });

  test("an earlier session is loaded, and its history is not emitted again [adapter-resume-1]", async () => {
    const input = { session_id: "an-earlier-session" };
    const messages = [{ role: "user" as const, content: "CASE:text Go on." }];
    const run = await runRecording("opencode-1.18.33", "text", { kind: "acp:opencode", input: { ...input, messages } });
    expect(requestParams(run.noted, "session/load")).toMatchObject({ sessionId: "an-earlier-session", mcpServers: [] });
    expect(requestParams(run.noted, "session/new")).toBeUndefined();
    expect(requestParams(run.noted, "session/prompt")).toMatchObject({ sessionId: "an-earlier-session" });
    expect(run.host.ofType("tool_call_start")).toEqual([]);
  });

  test("a session that comes back without its history is an error, and no silent fresh start [adapter-resume-1]", async () => {
    const input = { session_id: "a-lost-session", messages: [{ role: "user" as const, content: "CASE:text Go on." }] };
    const { error, noted } = await runRecording("gemini-0.61.0", "text", { kind: "acp:gemini", input });
    expect(error).toMatchObject({ code: "adapter.response_error" });
    expect(error?.message).toContain("without its history");
    expect(requestParams(noted, "session/prompt")).toBeUndefined();
  });

  test("an interrupted run continues in the same session, and the prompt mentions the interruption [adapter-resume-1] [D5]", async () => {
    const first = await runRecording("codex-acp-2.6.0", "text", { kind: "acp:codex-acp" });
    const resumeFrom = first.host.checkpoints[1];
    const second = await runRecording("codex-acp-2.6.0", "text", { kind: "acp:codex-acp", resumeFrom });
    expect(requestParams(second.noted, "session/load")).toMatchObject({ sessionId: first.result?.session_id });
    expect(JSON.stringify(requestParams(second.noted, "session/prompt"))).toContain("was cut off");
  });
});

describe("an agent made with the protocol's own library", () => {
  test("the client declares what it offers: files of the workspace only, and no terminals [adapter-persistent-4] [adapter-launch-6]", async () => {
    const { noted, files, error } = await runSdkAgent("files", { files: { "a.txt": "one\ntwo\nthree\n" } });
    expect(error).toBeUndefined();
    expect(requestParams(noted, "initialize")).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
    });
    expect(files["b.txt"]?.trim()).toBe("two");
    const refused = noted.filter((one) => "refused" in one);
    expect(refused).toHaveLength(4);
    expect(noted.filter((one) => "content" in one)).toEqual([]);
    expect(noted).toContainEqual({ terminal: -32601 });
  });

  test("if no option rejects, a permission request is cancelled and never granted [adapter-permissions-1]", async () => {
    const { noted, host } = await runSdkAgent("permission");
    expect(noted.filter((one) => "outcome" in one)).toEqual([
      { outcome: { outcome: "selected", optionId: "no" } },
      { outcome: { outcome: "cancelled" } },
    ]);
    expect(host.ofType("tool_call_start").map(({ payload }) => [payload.name, payload.arguments])).toEqual([
      ["execute", { command: "rm -rf build" }],
      ["execute", { command: "rm -rf build" }],
    ]);
  });

  test.each([
    ["refused", "adapter.turn_refused", "refused to continue"],
    ["tokens", "adapter.turn_token_limit", "token limit"],
    ["requests", "adapter.turn_request_limit", ""],
    ["cancelled", "adapter.turn_failed", "no cancellation was requested"],
    ["fails", "adapter.turn_failed", "the model is overloaded"],
    ["unauthorised", "adapter.response_error", "invalid api key"],
  ])("%s ends as %s [adapter-acp-1] [adapter-outcome-7]", async (prompt, code, message) => {
    const { error, result } = await runSdkAgent(prompt);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
    expect(result).toMatchObject({ exit_code: 1, final_message: "Working." });
  });

  test("an endless message or tool output is cut off at 1 MiB, and the cut is marked [adapter-structured-output-1]", async () => {
    const { host, error, result } = await runSdkAgent("floods");
    expect(error).toBeUndefined();
    const message = host.ofType("assistant_text_end")[0]?.payload.content;
    expect(message).toMatch(/^Working\.x+\n… \(\d characters left out\) …\nx+more text$/u);
    expect(result?.final_message).toBe(message);
    const output = host.ofType("tool_call_end")[0]?.payload.content;
    expect(output).toMatch(/^x+\n… \(\d+ characters left out\) …\ny+$/u);
  });

  test.each([
    { agent: "whose list lacks the session", mode: "lists", sessionId: "s-gone", code: undefined },
    { agent: "whose list has it later", mode: "lists", sessionId: "s-kept", code: "adapter.response_error" },
    { agent: "whose list fails", mode: "lists-broken", sessionId: "s-gone", code: "adapter.response_error" },
    { agent: "that has no list", mode: "loads", sessionId: "s-gone", code: "adapter.response_error" },
  ])(
    "a load that fails without a reason starts a new session only with an agent whose list lacks it: one $agent [adapter-resume-6]",
    async ({ mode, sessionId, code }) => {
      const messages = [{ role: "user" as const, content: "thinks" }];
      const { error, noted, result } = await runAcp([SDK_AGENT, mode], { input: { session_id: sessionId, messages } });
      expect(error?.code).toBe(code);
      expect(requestParams(noted, "session/new") !== undefined).toBe(code === undefined);
      if (code === undefined) expect(result?.final_message).toBe("Working.");
    },
  );

  test("thoughts and plans are not part of the agent's answer [adapter-events-7]", async () => {
    const { result, host } = await runSdkAgent("thinks");
    expect(result?.final_message).toBe("Working.");
    expect(host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual(["Working."]);
  });

  test("MCP servers are passed with the session; a server that the agent cannot reach is refused before it [adapter-arguments-4]", async () => {
    const mcpServers = {
      files: { command: "files-server", args: ["--root", "."], env: { TOKEN: "a-token-0123456789" } },
      web: { url: "http://127.0.0.1:9/mcp", headers: { authorization: "Bearer 0123456789" } },
    };
    const { noted } = await runSdkAgent("thinks", { mcpServers });
    expect(requestParams(noted, "session/new")?.["mcpServers"]).toEqual([
      {
        name: "files",
        command: "files-server",
        args: ["--root", "."],
        env: [{ name: "TOKEN", value: "a-token-0123456789" }],
      },
      {
        ...{ type: "http", name: "web", url: "http://127.0.0.1:9/mcp" },
        headers: [{ name: "authorization", value: "Bearer 0123456789" }],
      },
    ]);
    const codex = await runRecording("opencode-1.18.33", "text", { mcpServers: { web: mcpServers.web } });
    expect(codex.error).toBeUndefined();
    const dropped = await runRecording("gemini-0.61.0", "text", { kind: "acp:gemini", mcpServers });
    expect(dropped.error).toMatchObject({ code: "config.invalid" });
    expect(dropped.error?.message).toContain("trust_project");
    expect(dropped.noted).toEqual([]);
  });

  test("a mode and an authentication method are requested by the agent's ids [adapter-arguments-4]", async () => {
    const { noted } = await runSdkAgent("thinks", { config: { mode: "code", auth_method: "key" } });
    expect(requestParams(noted, "session/set_mode")).toEqual({ sessionId: "s-1", modeId: "code" });
    expect(requestParams(noted, "authenticate")).toEqual({ methodId: "key" });
    const wrong = await runSdkAgent("thinks", { config: { mode: "yolo" } });
    expect(wrong.error).toMatchObject({ code: "config.invalid" });
    expect(wrong.error?.message).toContain("it has ask, code");
    const noModel = await runSdkAgent("thinks", { config: { model: "m" } });
    expect(noModel.error?.message).toContain("offers no choice of models");
  });

  test("an agent that requires authentication lists its methods, and does not hang [adapter-credentials-2]", async () => {
    const { error } = await runAcp([SDK_AGENT, "signed-out"]);
    expect(error).toMatchObject({ code: "adapter.credential_unverified" });
    expect(error?.message).toContain("it supports the login methods key");
  });

  test("an agent that cannot load a session begins a new one and reports it [adapter-resume-2] [adapter-resume-6]", async () => {
    const messages = [{ role: "user" as const, content: "thinks" }];
    const run = await runAcp([SDK_AGENT], { input: { messages, session_id: "an-earlier-session" } });
    expect(run.error).toBeUndefined();
    expect(run.result?.session_id).toBe("s-1");
    expect(run.host.ofType("session_replaced").map(({ payload }) => payload)).toEqual([
      { session_id: "an-earlier-session", message: expect.stringContaining("the agent cannot load sessions") },
    ]);
  });
});

describe("the configuration", () => {
  test("a model is passed as a flag if the agent has one, otherwise by the protocol [adapter-arguments-4]", async () => {
    const config = { model: "gemini-3-flash", trust_project: true };
    const flagged = await runRecording("gemini-0.61.0", "text", { kind: "acp:gemini", config });
    expect(flagged.noted[0]?.args).toEqual(["--model", "gemini-3-flash", "--skip-trust"]);
    const plain = await runRecording("gemini-0.61.0", "text", { kind: "acp:gemini" });
    expect(plain.noted[0]?.args).toEqual([]);
  });

  test("known agents have their own names, and any other agent its command [adapter-registry-4] [adapter-launch-2]", () => {
    expect(acpKinds.map(({ kind }) => kind)).toEqual([
      ...["acp", "acp:gemini", "acp:copilot", "acp:opencode", "acp:kiro", "acp:codex-acp"],
    ]);
    expect(() => acp.create({})).toThrow("acp.command");
    expect(acp.create({ command: "my-agent --acp" }).kind).toBe("acp");
  });

  test.each([
    [{ trust_all_tools: true, allowed_kinds: ["edit"] }, "trust_all_tools and allowed_kinds exclude each other"],
    [{ allowed_kinds: ["Bash"] }, "is not one of read, edit"],
    [{ modle: "x" }, "the setting is unknown"],
  ])(
    "%j is refused when the adapter is made [adapter-passthrough-config-1] [adapter-passthrough-config-2]",
    (block, problem) => {
      expect(() => acp.create({ command: "x", ...block })).toThrow(problem);
    },
  );
});
