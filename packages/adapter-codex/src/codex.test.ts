import { blockWithMode } from "@switchyard/adapter-kit";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { runPlan, runRecording } from "../test/run-codex.ts";
import { codex } from "./index.ts";

const ids = { threadId: "thread-new", turnId: "turn-1" };
const TEXT = { method: "item/completed", params: { ...ids, item: { type: "agentMessage", id: "m", text: "Done." } } };
const END = { method: "turn/completed", params: { ...ids, turn: { id: "turn-1", status: "completed" } } };
const KEY = "sk-the-key-of-nobody-0123456789";

function failing(error: unknown, status = "failed"): unknown {
  return { turn: [TEXT, { method: "turn/completed", params: { ...ids, turn: { id: "turn-1", status, error } } }] };
}

function usage(turnId: string, total: number, last: number): unknown {
  const tokens = (inputTokens: number) => ({ inputTokens, outputTokens: 0, cachedInputTokens: 0 });
  const tokenUsage = { total: tokens(total), last: tokens(last) };
  return { method: "thread/tokenUsage/updated", params: { ...ids, turnId, tokenUsage } };
}

describe("recordings of the command 0.169.0", () => {
  test("a tool call: the session, its texts, the call and the tokens are reported [adapter-codex-1]", async () => {
    const { result, error, host, requests } = await runRecording("tool", { prompt: "CASE:tool Do it." });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      ...{ exit_code: 0, final_message: 'Done: made.txt holds "tool ran".', engine: "codex", model: "gpt-5.5" },
      ...{ input_tokens: 2400, output_tokens: 68, turns: 1 },
    });
    const [started] = host.ofType("session_start");
    expect(started?.payload).toMatchObject({ session_id: result?.session_id, model: "gpt-5.5" });
    expect(host.ofType("tool_call_start")[0]?.payload).toMatchObject({
      name: "commandExecution",
      arguments: { command: "printf 'tool ran\\n' > made.txt && cat made.txt", cwd: "/workspace" },
    });
    const [ended] = host.ofType("tool_call_end");
    expect(ended?.payload).toMatchObject({ name: "commandExecution", content: "tool ran\n" });
    expect(ended?.payload.is_error).toBeUndefined();
    expect(host.ofType("assistant_text_end").map(({ payload }) => payload.content)).toEqual([
      "I will run a command.",
      'Done: made.txt holds "tool ran".',
    ]);
    const methods = requests.map(({ method }) => method).filter((method) => method !== undefined);
    expect(methods).toEqual(["initialize", "initialized", "account/read", "thread/start", "turn/start"]);
  });

  test("a change of files, a command that fails, steps one after another", async () => {
    const write = await runRecording("write");
    expect(write.host.ofType("tool_call_start")[0]?.payload).toMatchObject({ name: "fileChange" });
    expect(write.host.ofType("tool_call_end")[0]?.payload.content).toContain("add /workspace/written.txt");
    const failed = await runRecording("fail");
    expect(failed.error).toBeUndefined();
    expect(failed.host.ofType("tool_call_end")[0]?.payload).toMatchObject({ content: "out-line\n", is_error: true });
    const steps = await runRecording("steps");
    expect(steps.host.ofType("tool_call_end")).toHaveLength(2);
    expect(steps.result).toMatchObject({ input_tokens: 3600, output_tokens: 102 });
  });

  test("an earlier session is resumed by its id, and only its additional tokens count [adapter-resume-1] [adapter-usage-4]", async () => {
    const first = await runRecording("tool");
    const session_id = first.result?.session_id;
    const { result, requests } = await runRecording("resumed", { input: { session_id } });
    expect(requests.find(({ method }) => method === "thread/resume")?.params).toMatchObject({ threadId: session_id });
    expect(result).toMatchObject({ session_id, final_message: "Second turn.", input_tokens: 1200, output_tokens: 34 });
  });

  test("an approval is declined, and the turn continues [adapter-codex-3] [adapter-persistent-4] [adapter-permissions-1]", async () => {
    const { result, requests, host } = await runRecording("declined", { config: { approval_policy: "untrusted" } });
    expect(result?.exit_code).toBe(0);
    expect(requests.find((message) => message.result !== undefined)?.result).toEqual({ decision: "decline" });
    expect(host.ofType("tool_call_end")[0]?.payload).toMatchObject({ content: "(declined)", is_error: true });
    expect(
      host
        .ofType("notification")
        .map(({ payload }) => payload.message)
        .join(),
    ).toContain("permission was refused");
  });

  test("a request refused by the model's API is response_error, without invented tokens [adapter-usage-2]", async () => {
    const { error, result, host } = await runRecording("wrong");
    expect(error).toMatchObject({ code: "adapter.response_error", retryable: true });
    expect(error?.message).toContain("invalid api key");
    expect(result?.input_tokens).toBeUndefined();
    expect(
      host
        .ofType("notification")
        .map(({ payload }) => payload.message)
        .join(),
    ).toContain("asked again");
  });
});

describe("signing in", () => {
  const signedOut = { "account/read": { result: { account: null, requiresOpenaiAuth: true } } };
  const completed = (success: boolean, error: string | null) => ({
    "account/login/start": [{ method: "account/login/completed", params: { loginId: null, success, error } }],
  });

  test("without a login, the key authenticates, and only the command can read it [adapter-credentials-3]", async () => {
    const plan = { answers: signedOut, after: completed(true, null), turn: [TEXT, END] };
    const { error, requests, host } = await runPlan(plan, { variables: { CODEX_API_KEY: KEY } });
    expect(error).toBeUndefined();
    const login = requests.find(({ method }) => method === "account/login/start");
    expect(login?.params).toEqual({ type: "apiKey", apiKey: KEY });
    expect(JSON.stringify([requests[0]?.args, host.envelopes])).not.toContain(KEY);
  });

  test("without a key, or with one that is refused, the turn fails before the model is asked", async () => {
    const without = await runPlan({ answers: signedOut });
    expect(without.error).toMatchObject({ code: "adapter.credential_unverified" });
    expect(without.error?.message).toContain("CODEX_API_KEY is not set");
    const plan = { answers: signedOut, after: completed(false, `bad key ${KEY}`) };
    const refused = await runPlan(plan, { variables: { CODEX_API_KEY: KEY } });
    expect(refused.error).toMatchObject({ code: "adapter.credential_unverified" });
    expect(JSON.stringify([refused.host.envelopes, refused.error?.message])).not.toContain(KEY);
    expect([...without.requests, ...refused.requests].some(({ method }) => method === "thread/start")).toBe(false);
  });

  test("an account that is there is used, and an older release is not asked twice", async () => {
    const variables = { CODEX_API_KEY: KEY };
    const signedIn = { result: { account: { type: "chatgpt" }, requiresOpenaiAuth: true } };
    const unknown = { error: { code: -32601, message: "unknown method" } };
    for (const answer of [signedIn, unknown]) {
      const plan = { answers: { "account/read": answer }, turn: [TEXT, END] };
      const { error, requests } = await runPlan(plan, { variables });
      expect(error).toBeUndefined();
      expect(requests.some(({ method }) => method === "account/login/start")).toBe(false);
    }
  });

  test("messages of the command are reported without secrets", async () => {
    const answers = { "thread/start": { error: { code: -32600, message: `cannot use ${KEY}` } } };
    const { error } = await runPlan({ answers }, { variables: { CODEX_API_KEY: KEY } });
    expect(error).toMatchObject({ code: "adapter.response_error" });
    expect(error?.message).toContain("***REDACTED***");
    expect(JSON.stringify(error?.toWire())).not.toContain(KEY);
  });
});

describe("the thread", () => {
  test.each([
    "no rollout found for thread id thread-gone",
    "failed to read thread: rollout at /home/a/rollout-x.jsonl is empty",
    "no archived rollout found for thread id thread-gone",
    "rollout not found: thread-gone",
  ])(
    "one that the command does not have is replaced by a new one with the whole conversation: %s [adapter-resume-6]",
    async (message) => {
      const answers = { "thread/resume": { error: { code: -32600, message } } };
      const messages = [
        { role: "user" as const, content: "What is 6 x 7?" },
        { role: "assistant" as const, content: "42." },
        { role: "user" as const, content: "Say it again." },
      ];
      const input = { session_id: "thread-gone", messages };
      const { result, host, requests } = await runPlan({ answers, turn: [TEXT, END] }, { input });
      expect(result).toMatchObject({ exit_code: 0, session_id: "thread-new" });
      expect(host.ofType("session_replaced").map(({ payload }) => payload)).toEqual([
        { session_id: "thread-gone", message: expect.stringContaining(message) },
      ]);
      const [prompt] = requests.filter(({ method }) => method === "turn/start").map(({ params }) => params?.["input"]);
      expect(JSON.stringify(prompt)).toContain("What is 6 x 7?");
      expect(JSON.stringify(prompt)).not.toContain("was cut off");
    },
  );

  test("one that cannot be resumed for another reason is an error, and no fresh start [adapter-resume-6]", async () => {
    const answers = { "thread/resume": { error: { code: -32603, message: "config could not be loaded" } } };
    const { error, requests } = await runPlan({ answers, turn: [TEXT, END] }, { input: { session_id: "thread-old" } });
    expect(error).toMatchObject({ code: "adapter.response_error" });
    expect(error?.message).toContain("config could not be loaded");
    expect(requests.some(({ method }) => method === "thread/start")).toBe(false);
  });

  test("it is configured through standard input only: sandbox, trust for itself, MCP servers with their secrets", async () => {
    const mcpServers = {
      files: { command: "files-server", args: ["-v"], env: { TOKEN: "a-token-0123456789" } },
      web: { url: "http://127.0.0.1:1/mcp", headers: { authorization: "a-token-0123456789" } },
    };
    const config = { model: "gpt-5.5-mini", effort: "high", network_access: true, writable_roots: ["/var/cache/x"] };
    const { requests, workspace } = await runPlan({ turn: [TEXT, END] }, { config, mcpServers });
    const thread = requests.find(({ method }) => method === "thread/start")?.params;
    expect(thread).toEqual({
      ...{ cwd: workspace, approvalPolicy: "never", sandbox: "workspace-write", model: "gpt-5.5-mini" },
      config: {
        projects: { [workspace]: { trust_level: "untrusted" } },
        mcp_servers: {
          files: mcpServers.files,
          web: { url: "http://127.0.0.1:1/mcp", http_headers: { authorization: "a-token-0123456789" } },
        },
      },
    });
    expect(requests.find(({ method }) => method === "turn/start")?.params).toMatchObject({
      ...{ threadId: "thread-new", cwd: workspace, model: "gpt-5.5-mini", effort: "high" },
      input: [{ type: "text", text: "Do it." }],
      sandboxPolicy: { type: "workspaceWrite", writableRoots: [workspace, "/var/cache/x"], networkAccess: true },
    });
    expect(JSON.stringify(requests[0]?.args)).not.toContain("a-token");
  });

  test("messages before the response to a turn count, and the turn ends with its notification [adapter-persistent-5]", async () => {
    const started = { method: "turn/started", params: { ...ids, turn: { id: "turn-1" } } };
    const { result, error } = await runPlan({ before: [started, TEXT, usage("turn-1", 70, 70), END] });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ final_message: "Done.", input_tokens: 70 });
  });

  test("tokens of other turns, and a repeated total, do not count [adapter-usage-4] [adapter-usage-3]", async () => {
    const turn = [usage("turn-0", 500, 100), usage("turn-1", 600, 100), usage("turn-1", 600, 100), TEXT, END];
    const own = turn.map((message) => JSON.parse(JSON.stringify(message).replaceAll("thread-new", "thread-old")));
    const resumed = await runPlan({ turn: own }, { input: { session_id: "thread-old" } });
    expect(resumed.result).toMatchObject({ session_id: "thread-old", input_tokens: 100 });
  });

  test("messages about a finished turn do not count in the next one [adapter-usage-4]", async () => {
    const late = [TEXT, usage("turn-1", 100, 100), END, usage("turn-1", 150, 50)];
    const { result } = await runPlan({ turn: late }, { steering: "Go on." });
    // The turn of the plan has the same name both times: the messages between them belong to no turn.
    expect(result).toMatchObject({ turns: 2, input_tokens: 100 });
  });

  test.each([
    [{ threadId: "thread-new", turnId: "turn-1" }],
    [{ threadId: "thread-new", turn: {} }],
    [{ threadId: "thread-new" }],
    [{}],
  ])("an older shape of turn/started provides the turn's id, so that its tokens count: %j", async (params) => {
    const turn = [{ method: "turn/started", params }, usage("turn-1", 70, 70), TEXT, END];
    expect((await runPlan({ turn })).result).toMatchObject({ exit_code: 0, input_tokens: 70 });
  });

  test("a turn that ends without a response to its request is over", async () => {
    const { result } = await runPlan(
      { hasNoResponse: true, before: [TEXT, END] },
      { config: { startup_timeout_ms: 20_000 } },
    );
    expect(result).toMatchObject({ exit_code: 0, final_message: "Done." });
  });

  test.each([
    [{ failureReason: "reauthenticationRequired", error: null }, "failed: reauthenticationRequired"],
    [{ failureReason: "reauthenticationRequired", error: "401" }, "failed: reauthenticationRequired: 401"],
    [{ error: "it exited" }, "failed: it exited"],
    [{}, "failed: no reason was given"],
  ])("an MCP server that does not start is reported with its reason: %j", async (reason, expected) => {
    const params = { name: "files", status: "failed", ...reason };
    const { host } = await runPlan({ turn: [{ method: "mcpServer/startupStatus/updated", params }, TEXT, END] });
    const messages = host.ofType("notification").map(({ payload }) => payload.message);
    expect(messages).toContain(`the MCP server files ${expected}`);
  });

  test.each([
    [{ id: "r1", method: "item/tool/call", params: { ...ids, tool: "deploy" } }],
    [{ id: "r1", method: "execCommandApproval", params: ids }],
    [{ method: "item/completed", params: { ...ids, item: { type: "webSearch", id: "w", query: "x" } } }],
    [{ method: "item/started", params: { ...ids, item: { type: "imageView", id: "i", path: "/a.png" } } }],
  ])("a turn without text that used or asked for a tool has worked: %j [adapter-outcome-9]", async (message) => {
    expect((await runPlan({ turn: [message, END] })).error).toBeUndefined();
  });

  test("a final message that only the end of the turn lists is the result [adapter-outcome-18]", async () => {
    const items = [{ type: "agentMessage", id: "m", text: "From the end." }];
    const end = { method: "turn/completed", params: { ...ids, turn: { id: "turn-1", status: "completed", items } } };
    expect((await runPlan({ turn: [end] })).result).toMatchObject({ exit_code: 0, final_message: "From the end." });
  });

  test("a thread of a subagent neither speaks nor ends for it", async () => {
    const foreign = [TEXT, END].map((message) => JSON.parse(JSON.stringify(message).replaceAll("thread-new", "other")));
    const { result, host } = await runPlan({ turn: [...foreign, TEXT, END] });
    expect(result?.final_message).toBe("Done.");
    expect(host.ofType("assistant_text_end")).toHaveLength(1);
  });

  test("a line of 2 MB is one text [adapter-codex-4]", async () => {
    const { result } = await runPlan({ turn: [{ ...TEXT, big: 2_000_000 }, END] });
    expect(result?.exit_code).toBe(0);
    expect(result?.final_message.length).toBeGreaterThan(1_000_000);
  });
});

describe("requests of the command", () => {
  const asking = (method: string, params: Record<string, unknown>) => ({
    turn: [{ id: "r1", method, params: { ...ids, ...params } }, TEXT, END],
  });

  test.each([
    ["item/fileChange/requestApproval", { reason: "more" }, { decision: "decline" }],
    ["execCommandApproval", {}, { decision: { denied: { rejection: "Nobody can be asked." } } }],
    ["item/tool/call", { tool: "deploy" }, { success: false, contentItems: [{ type: "inputText" }] }],
  ])(
    "%s is refused, and the turn continues [adapter-codex-3] [adapter-permissions-1]",
    async (method, params, answer) => {
      const { requests, result } = await runPlan(asking(method, params));
      expect(requests.find(({ id }) => id === "r1")?.result).toMatchObject(answer);
      expect(result?.final_message).toBe("Done.");
    },
  );

  test.each([
    ["allow_once", "accept"],
    ["deny", "decline"],
  ])("The user's answer %s to an approval request is returned as %s", async (answer, decision) => {
    const item = { type: "fileChange", id: "f", changes: [{ path: "a.txt", kind: { type: "update" }, diff: "+two" }] };
    const host = recordingHost({ askUser: () => ({ parts: [{ type: "text", text: answer }] }) });
    const started = { method: "item/started", params: { ...ids, item } };
    const request = { id: "r1", method: "item/fileChange/requestApproval", params: { ...ids, itemId: "f" } };
    const { requests, error } = await runPlan({ turn: [started, request, TEXT, END] }, { host });
    expect(error).toBeUndefined();
    expect(requests.find(({ id }) => id === "r1")?.result).toEqual({ decision });
    expect(host.prompts.map(({ metadata }) => metadata)).toEqual([
      {
        ...{ kind: "approval", tool: "fileChange", call_id: "f", rules: "none" },
        arguments: JSON.stringify({ changes: item.changes }),
      },
    ]);
  });

  test("A question about a command contains the command and its folder", async () => {
    const host = recordingHost({ askUser: () => ({ parts: [{ type: "text", text: "allow_once" }] }) });
    const params = { itemId: "c", command: "npm test", cwd: "/tmp", reason: "to run the tests" };
    const { requests } = await runPlan(asking("item/commandExecution/requestApproval", params), { host });
    expect(requests.find(({ id }) => id === "r1")?.result).toEqual({ decision: "accept" });
    expect(host.prompts[0]?.metadata).toMatchObject({
      command: "npm test",
      folder: "/tmp",
      reason: "to run the tests",
    });
  });

  test.each([
    ["item/tool/requestUserInput", { questions: [{ question: "Left or right?" }] }, "Left or right?"],
    ["item/permissions/requestApproval", { reason: "to reach the network" }, "to reach the network"],
    ["mcpServer/elicitation/request", { serverName: "files", message: "Which folder?" }, "Which folder?"],
  ])(
    "%s is a person's to answer: an error for the command, and the turn ends [adapter-codex-3] [adapter-outcome-12]",
    async (method, params, question) => {
      const { requests, error } = await runPlan(asking(method, params));
      expect(requests.find(({ id }) => id === "r1")?.error).toMatchObject({ code: -32601 });
      expect(error).toMatchObject({ code: "adapter.turn_input_required" });
      expect(error?.message).toContain(question);
    },
  );

  test("an unknown request is answered with an error, and the turn continues [adapter-persistent-4]", async () => {
    const { requests, result } = await runPlan(asking("attestation/generate", {}));
    expect(requests.find(({ id }) => id === "r1")?.error).toMatchObject({ code: -32601 });
    expect(result?.final_message).toBe("Done.");
  });
});

test.each([
  [{ message: "no", codexErrorInfo: "unauthorized" }, "adapter.response_error"],
  [{ message: "no", codexErrorInfo: "BadRequest" }, "adapter.response_error"],
  [{ message: "no", codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 503 } } }, "adapter.turn_failed"],
  [{ message: "no", codexErrorInfo: "contextWindowExceeded" }, "adapter.turn_token_limit"],
  [{ message: "no", codexErrorInfo: null }, "adapter.turn_failed"],
])("a turn that failed with %j is %s", async (problem, code) => {
  expect((await runPlan(failing(problem))).error?.code).toBe(code);
});

test("a turn that another client interrupted fails; a refused request fails with its reason", async () => {
  const { error } = await runPlan(failing(null, "interrupted"));
  expect(error).toMatchObject({ code: "adapter.turn_failed" });
  expect(error?.message).toContain("interrupted by another client");
  const answers = { "turn/start": { error: { code: -32600, message: "unknown effort" } } };
  expect((await runPlan({ answers })).error?.message).toContain("unknown effort");
});

test.each([
  [{ sandbox: "none" }, "is not one of"],
  [{ approval_policy: "on-failure" }, "is not one of"],
  [{ writable_roots: ["relative"] }, "not an absolute path"],
  [{ sandbox: "read-only", writable_roots: ["/a"] }, "applies only to the sandbox workspace-write"],
  [{ sandbox: "danger-full-access", network_access: true }, "nothing is restricted"],
  [{ effort: 3 }, "is not a text"],
])("%j is refused when the adapter is made [adapter-passthrough-config-2]", (block, problem) => {
  expect(() => codex.create(block)).toThrow(problem);
});

test.each([
  [{ sandbox: "read-only" }, { type: "readOnly", networkAccess: false }],
  [{ sandbox: "danger-full-access" }, { type: "dangerFullAccess" }],
])("%j determines what its commands may do", async (config, sandboxPolicy) => {
  const { requests } = await runPlan({ turn: [TEXT, END] }, { config });
  expect(requests.find(({ method }) => method === "turn/start")?.params).toMatchObject({ sandboxPolicy });
});

test.each([
  ["plan", { sandbox: "read-only", approvalPolicy: "never" }, { type: "readOnly", networkAccess: false }],
  ["ask", { sandbox: "read-only", approvalPolicy: "on-request" }, { type: "readOnly", networkAccess: false }],
  ["auto", { sandbox: "danger-full-access", approvalPolicy: "never" }, { type: "dangerFullAccess" }],
] as const)("the mode %s is a sandbox and a policy [adapter-capabilities-3]", async (mode, thread, sandboxPolicy) => {
  const block = { model: "gpt-5.5", writable_roots: ["/var/cache/x"] };
  const { requests } = await runPlan({ turn: [TEXT, END] }, { config: blockWithMode(codex, block, mode) });
  const paramsOf = (name: string): unknown => requests.find(({ method }) => method === name)?.params;
  expect(paramsOf("thread/start")).toMatchObject({ ...thread, model: "gpt-5.5" });
  expect(paramsOf("turn/start")).toMatchObject({ sandboxPolicy });
});
