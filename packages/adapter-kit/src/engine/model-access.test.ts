import { EngineError, NO_USAGE, type Usage } from "@switchyard/contracts";
import type { ModelAccess, ModelAccessRequest } from "@switchyard/engine";
import { secret } from "@switchyard/secrets";
import type { AgentStep } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { acme } from "../../test/acme.ts";
import { type AcmeRun, type RunAcmeOptions, runAcme, WORKS } from "../../test/run-acme.ts";

const [KEY, TOKEN] = [["real", "key", "0123456789"].join("-"), ["run", "token", "0123456789"].join("-")];
const VARIABLES = { ACME_API_KEY: KEY, WORK_KEY: `${KEY}-of-work`, ACME_REGION: "eu", OTHER: "kept" };
const CONFIG = { env: ["OTHER", "ACME_REGION"], key_env: "WORK_KEY" };

/** Runs the agent with access to models. Returns the access's calls in order. */
async function runWithAccess(
  options: RunAcmeOptions & Pick<ModelAccess, "measuresUsage" | "measuredUsage"> = {},
): Promise<AcmeRun & { readonly calls: readonly unknown[] }> {
  const calls: unknown[] = [];
  const openModelAccess = async ({ run, route }: ModelAccessRequest): Promise<ModelAccess> => {
    calls.push([run.id, route]);
    return {
      ...{ baseUrl: "http://127.0.0.1:4242", token: secret(TOKEN), measuresUsage: options.measuresUsage },
      measuredUsage: options.measuredUsage,
      close: async () => void calls.push("close"),
    };
  };
  return { ...(await runAcme({ engine: { openModelAccess }, ...options })), calls };
}

test("a redirected agent gets the address and the token of its run, and no API key", async () => {
  const steps: readonly AgentStep[] = [
    ...WORKS.slice(0, 1),
    { do: "say", text: `I have ${TOKEN}.` },
    ...WORKS.slice(2),
  ];
  const turns = [{ steps }];
  const { calls, error, prompts, result } = await runWithAccess({ variables: VARIABLES, config: CONFIG, turns });
  expect(error).toBeUndefined();
  expect(calls).toEqual([["run-1", { provider: "acme", apis: ["openai-chat"] }], "close"]);
  const { env = {} } = prompts[0] ?? {};
  expect(env).toMatchObject({ ACME_URL: "http://127.0.0.1:4242/v1", ACME_TOKEN: TOKEN, OTHER: "kept" });
  expect(Object.keys(env)).not.toEqual(expect.arrayContaining(["ACME_REGION"]));
  expect(JSON.stringify(env)).not.toContain(KEY);
  expect(result?.final_message).toBe("I have ***REDACTED***.");
  const direct = await runAcme({ variables: VARIABLES, config: CONFIG });
  expect(direct.prompts[0]?.env).toMatchObject({ ACME_API_KEY: KEY, WORK_KEY: `${KEY}-of-work`, ACME_REGION: "eu" });
  expect(direct.prompts[0]?.env["ACME_URL"]).toBeUndefined();
});

test("an agent that cannot be redirected calls models directly, and reports why", async () => {
  const config = { ...CONFIG, model: "local" };
  const { calls, error, prompts } = await runWithAccess({ variables: VARIABLES, config });
  expect(error).toBeUndefined();
  expect(calls).toEqual([]);
  expect(prompts[0]?.env["ACME_API_KEY"]).toBe(KEY);
  expect(acme.modelRoute?.(config)?.directReason).toBe("its model local is not on a server");
  const startSession = acme.create({ ...config, command: "sh" }).startSession({
    ...{
      environment: Object.create(null),
      workspacePath: "/",
      modelAccess: { baseUrl: "http://x", token: secret(TOKEN) },
    },
  });
  await expect(startSession).rejects.toMatchObject({ code: "config.invalid", details: { field: "modelAccess" } });
});

const USES_TOKENS: readonly AgentStep[] = [
  ...WORKS.slice(0, 2),
  { do: "end", kind: "success", inputTokens: 30, outputTokens: 4 },
];

test("if the host measures the usage, the agent's own figures are not reported", async () => {
  const turns = [{ steps: USES_TOKENS }];
  const measuredUsage = (): Usage => ({ inputTokens: 31, outputTokens: 4, totalTokens: 35 });
  const { host, result } = await runWithAccess({ turns, measuresUsage: true, measuredUsage });
  expect(host.usages).toEqual([]);
  expect(host.types()).not.toContain("usage_reported");
  expect(result).not.toHaveProperty("input_tokens");
});

test("an agent that used more tokens than the gateway measured causes a warning, and the difference is reported", async () => {
  const partly = { inputTokens: 10, outputTokens: 1, totalTokens: 11 };
  const some = { turns: [{ steps: USES_TOKENS }], measuresUsage: true, measuredUsage: () => partly };
  expect((await runWithAccess(some)).host.usages).toMatchObject([
    { inputTokens: 20, outputTokens: 3, totalTokens: 23 },
  ]);
  // Its requests to the gateway may all be refused, or list models, which uses no tokens.
  const bypassed = { measuresUsage: true, measuredUsage: () => NO_USAGE };
  const { host, calls, error } = await runWithAccess({ turns: [{ steps: USES_TOKENS }], ...bypassed });
  expect([error, calls.at(-1)]).toEqual([undefined, "close"]);
  expect(host.usages).toMatchObject([{ inputTokens: 30, outputTokens: 4, totalTokens: 34 }]);
  expect(host.types().filter((type) => ["warning", "usage_reported"].includes(type))).toEqual([
    "warning",
    "usage_reported",
  ]);
  const failing: readonly AgentStep[] = [
    { do: "end", kind: "failure", problem: "Broken.", inputTokens: 30, outputTokens: 4 },
  ];
  const failed = await runWithAccess({ turns: [{ steps: [...WORKS.slice(0, 2), ...failing] }], ...bypassed });
  expect([failed.error?.code, failed.host.usages.length]).toEqual(["adapter.turn_failed", 1]);
  // An agent without usage may have worked without a model.
  const idle = await runWithAccess({ turns: [{ steps: WORKS.slice(0, 2) }], ...bypassed });
  expect(idle.host.types()).not.toContain("warning");
});

test("the access is closed if the agent cannot be started", async () => {
  const { calls, error } = await runWithAccess({ config: { command: "no-such-agent-here" } });
  expect(error?.code).toBe("adapter.agent_not_found");
  expect(calls.at(-1)).toBe("close");
});

test("an agent is ended when its run may make no further model call", async () => {
  const ended = AbortSignal.abort(new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 }));
  const openModelAccess = async (): Promise<ModelAccess> => {
    return { baseUrl: "http://127.0.0.1:4242", token: secret(TOKEN), signal: ended, close: async () => undefined };
  };
  const { error } = await runAcme({ engine: { openModelAccess } });
  expect(error?.code).toBe("budget.exceeded");
});
