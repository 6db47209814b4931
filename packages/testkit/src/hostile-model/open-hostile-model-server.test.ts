import { afterEach, describe, expect, test } from "vitest";
import {
  answer,
  type FaultPlan,
  type HostileFault,
  type HostileModelServer,
  type HostileModelServerOptions,
  type ModelApi,
  modelRequestProblems,
  openHostileModelServer,
  planFaults,
  reasoning,
  text,
  toolCall,
} from "../index.ts";

const APIS: readonly ModelApi[] = ["openai-chat", "openai", "anthropic", "gemini"];
const SCRIPT = [
  answer(reasoning("Let me think."), text("I use the tool: \u{1f600}."), toolCall("effect", { n: 1 })),
  text("Done."),
];

const opened: HostileModelServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

/** Creates a plan with the given faults in the first turn. */
function planOf(...faults: readonly HostileFault[]): FaultPlan {
  const response = (fault?: HostileFault) => ({ fault, oddities: [], seed: 7 });
  return { seed: 1, turns: [[...faults.map(response), response()], [response()]], completes: true };
}

async function open(options: Partial<HostileModelServerOptions> = {}): Promise<HostileModelServer> {
  const server = await openHostileModelServer({ script: SCRIPT, plan: planOf(), ...options });
  opened.push(server);
  return server;
}

const PATHS: Readonly<Record<ModelApi, readonly [streamed: string, whole: string]>> = {
  "openai-chat": ["/chat/completions", "/chat/completions"],
  openai: ["/responses", "/responses"],
  anthropic: ["/messages", "/messages"],
  gemini: ["/models/m:streamGenerateContent?alt=sse", "/models/m:generateContent"],
};

const CONVERSATIONS: Readonly<Record<ModelApi, object>> = {
  "openai-chat": { messages: [{ role: "user", content: "Go." }] },
  openai: { input: [{ role: "user", content: "Go." }] },
  anthropic: { messages: [{ role: "user", content: "Go." }] },
  gemini: { contents: [{ role: "user", parts: [{ text: "Go." }] }] },
};

async function ask(server: HostileModelServer, api: ModelApi, { stream = true, body = CONVERSATIONS[api] } = {}) {
  const response = await fetch(`${server.baseUrl(api)}${PATHS[api][stream ? 0 : 1]}`, {
    method: "POST",
    body: JSON.stringify({ ...body, stream }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe.each(APIS)("%s", (api) => {
  test.each([true, false])("plays its script, streamed: %s", async (stream) => {
    const server = await open();
    const { status, text } = await ask(server, api, { stream });
    expect(status).toBe(200);
    expect(text).toContain("effect");
    expect(text).toContain("\u{1f600}");
    const [request] = server.ledger().requests;
    expect(request).toMatchObject({ turn: 1, attempt: 1, outcome: "complete", isTurn: true, isStreamed: stream });
    expect(server.ledger().completed).toEqual({ inputTokens: 101, outputTokens: 8 });
  });

  test("breaks a connection at any byte", async () => {
    const faults = [0, 0.3, 0.6, 0.999].map(
      (share): HostileFault => ({
        ...{ kind: "break", isReset: false, at: "any", share },
      }),
    );
    const server = await open({ plan: planOf(...faults) });
    for (const _ of faults) await expect(ask(server, api)).rejects.toThrow();
    expect((await ask(server, api)).status).toBe(200);
    expect(server.ledger().requests.map(({ outcome }) => outcome)).toEqual([...faults.map(() => "broken"), "complete"]);
    expect(server.ledger().turns).toEqual([1]);
  });

  test("rejects a request that the real API would reject", async () => {
    const server = await open();
    const { status } = await ask(server, api, { body: { messages: [], input: [{}], contents: [] } });
    expect(status).toBe(400);
    expect(server.ledger().problems.length).toBeGreaterThan(0);
  });
});

test("determines the requested turn from the tool calls of a request", async () => {
  const server = await open();
  const called = { id: "a", type: "function", function: { name: "effect", arguments: '{ "n": 1 }' } };
  const messages = [
    { role: "user", content: "Go." },
    { role: "assistant", content: null, tool_calls: [called] },
    { role: "tool", tool_call_id: "a", content: "ok" },
  ];
  const { text } = await ask(server, "openai-chat", { body: { messages } });
  expect(text).toContain('finish_reason":"stop');
  expect(server.ledger().turns).toEqual([2]);
});

test("detects a part of a broken response in a later request", async () => {
  const server = await open({ plan: planOf({ kind: "break", isReset: false, at: "text", share: 0.9 }) });
  await expect(ask(server, "openai-chat")).rejects.toThrow();
  const messages = [
    { role: "user", content: "Go." },
    { role: "assistant", content: "[resp_1] I use" },
    { role: "user", content: "Go on." },
  ];
  expect((await ask(server, "openai-chat", { body: { messages } })).status).toBe(400);
  expect(server.ledger().problems).toEqual(["request 2: it repeats a part of response 1, which was never complete"]);
});

test("responds with error statuses, delays and web pages", async () => {
  const now = () => Date.parse("2026-01-01T00:00:00Z");
  const faults: readonly HostileFault[] = [
    { kind: "status", status: 429, retryAfter: { seconds: 3, form: "seconds" } },
    { kind: "status", status: 529, retryAfter: { seconds: 3, form: "date" } },
    { kind: "status", status: 502, isHtml: true },
  ];
  const server = await open({ plan: planOf(...faults), now });
  const answers = [];
  for (const _ of faults) answers.push(await ask(server, "anthropic"));
  expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [429, "3"],
    [529, "Thu, 01 Jan 2026 00:00:03 GMT"],
    [502, null],
  ]);
  expect(answers[2]?.text).toContain("<html>");
  expect(server.ledger().requests.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "refused"]);
});

test("stalls, and reports when the client has disconnected", async () => {
  const controller = new AbortController();
  let onLeft: (() => void) | undefined;
  const disconnected = new Promise<void>((resolve) => {
    onLeft = resolve;
  });
  const server = await open({
    plan: planOf({ kind: "stall", at: "text", share: 0.5 }),
    onStall: (signal) => {
      signal.addEventListener("abort", () => onLeft?.());
      controller.abort();
    },
  });
  const request = fetch(`${server.baseUrl("openai-chat")}/chat/completions`, {
    ...{ method: "POST", signal: controller.signal },
    body: JSON.stringify({ ...CONVERSATIONS["openai-chat"], stream: true }),
  });
  await expect(request.then((response) => response.text())).rejects.toThrow();
  await disconnected;
  expect(server.ledger().requests[0]?.outcome).toBe("broken");
});

test.each<[HostileFault, RegExp]>([
  [{ kind: "empty" }, /"finish_reason":"stop"/],
  [{ kind: "calls_absent" }, /"finish_reason":"tool_calls"/],
  [{ kind: "cut_off" }, /"finish_reason":"length"/],
  [{ kind: "filtered" }, /"finish_reason":"content_filter"/],
  [{ kind: "failed" }, /"finish_reason":"error"/],
  [{ kind: "error_event", share: 0.5 }, /overloaded/],
  [{ kind: "malformed", share: 0.5 }, /data: /],
  [{ kind: "unfinished" }, /^(?!.*"finish_reason":")/s],
])("a response with the fault %o does not count as a turn", async (fault, pattern) => {
  const server = await open({ plan: planOf(fault) });
  expect((await ask(server, "openai-chat")).text).toMatch(pattern);
  expect(server.ledger().turns).toEqual([]);
});

test("a script with indistinguishable steps is rejected", async () => {
  const same = toolCall("effect", { n: 1 });
  await expect(openHostileModelServer({ script: [same, same, text("Done.")] })).rejects.toThrow(/step 2/);
  await expect(openHostileModelServer({ script: [text("a"), text("b")] })).rejects.toThrow(/step 1/);
});

describe("plans", () => {
  test("are equal for the same seed, and differ otherwise", () => {
    const plan = (seed: number) => JSON.stringify(planFaults({ seed, turns: 3 }));
    expect(plan(5)).toBe(plan(5));
    expect(new Set(Array.from({ length: 50 }, (_, seed) => plan(seed))).size).toBe(50);
  });

  test("contain every kind of fault and oddity, and mark the recoverable ones", () => {
    const plans = Array.from({ length: 400 }, (_, seed) => planFaults({ seed, turns: 3 }));
    const responses = plans.flatMap(({ turns }) => turns.flat());
    const kinds = new Set(responses.flatMap(({ fault }) => (fault === undefined ? [] : [fault.kind])));
    expect(kinds.size).toBe(11);
    expect(new Set(responses.flatMap(({ oddities }) => oddities)).size).toBe(8);
    const fatal = plans.filter(({ completes }) => !completes);
    expect(fatal.length).toBeGreaterThan(20);
    expect(fatal.length).toBeLessThan(120);
    expect(fatal.every(({ reason }) => reason !== undefined)).toBe(true);
  });

  test("contain only the requested kinds, judged by the policy", () => {
    const options = { seed: 3, turns: 4, kinds: ["status"], fatalShare: 0 } as const;
    const responses = planFaults(options).turns.flat();
    expect(new Set(responses.map(({ fault }) => fault?.kind ?? "status"))).toEqual(new Set(["status"]));
    expect(planFaults(options).completes).toBe(true);
    expect(planFaults({ ...options, policy: { retries: 0 } })).toMatchObject({
      completes: false,
      reason: expect.stringContaining("more failures than retries"),
    });
  });
});

test("requests are validated by the rules of each API", () => {
  const user = { role: "user", content: "Go." };
  const call = { role: "assistant", tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] };
  const result = { role: "tool", tool_call_id: "a", content: "" };
  const problems = (...messages: readonly object[]) => modelRequestProblems("openai-chat", { messages });
  expect(problems(user, call, result)).toEqual([]);
  expect(problems(user, call, user)).toEqual(["calls without a result: a"]);
  expect(problems(user, call, result, result)).toEqual(["result of a in the wrong place"]);
  expect(problems(user, { role: "assistant", content: "" }, user)).toEqual(["an assistant message without content"]);
});
