import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEPENDENCY, EngineError, type Envelope, isControlSource } from "@switchyard/contracts";
import { getDependency } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { failure, manualClock, scriptedClient } from "@switchyard/testkit";
import { expect, test } from "vitest";
import {
  openAgentEngine,
  type RetryOptions,
  runSession,
  type StartSessionOptions,
  startSession,
} from "../src/index.ts";
import { countingEngine } from "./counting-engine.ts";
import { type Start, stumblingAgent } from "./stumbling-adapter.ts";
import { collect, task, temporaryWorkspace } from "./temporary-session.ts";

const BREAKS: Start = { says: "I begin.", exitCode: 3 };
const WORKS: Start = { says: "Done.", reports: "success" };

/** Returns a timer whose waits end immediately, and the requested waits. */
function impatientTimer() {
  const waits: number[] = [];
  return {
    waits,
    timer: {
      monotonic: () => performance.now(),
      sleep: async (durationMs: number) => {
        waits.push(durationMs);
      },
    },
  };
}

interface Tried {
  readonly plan: readonly Start[];
  readonly retry?: RetryOptions;
  readonly options?: Partial<StartSessionOptions>;
  readonly agent?: Parameters<typeof stumblingAgent>[2];
  readonly random?: () => number;
}

async function tryAgent({ plan, retry = { maxAttempts: 5 }, options, agent, random = () => 1 }: Tried) {
  using workspace = temporaryWorkspace();
  const folder = join(dirname(workspace.root), "agent");
  mkdirSync(folder);
  const { engine, starts } = stumblingAgent(folder, plan, agent);
  const { timer, waits } = impatientTimer();
  const handle = await startSession(task(), workspace.options({ engine, timer, retry, random, ...options }));
  const events: Envelope[] = await collect(handle.events());
  const report = await handle.result;
  const store = openFileStore({ directory: workspace.stateDirectory });
  const { record, request } = await store.show(handle.runId);
  return { report, events, waits, starts: starts(), record, request };
}

test("a failed turn is retried in the agent's own session, after waits that double, and its attempts are reported [adapter-error-kinds-3] [adapter-error-kinds-4] [adapter-resume-1]", async () => {
  const { report, events, waits, starts, record } = await tryAgent({ plan: [BREAKS, BREAKS, BREAKS, WORKS] });
  expect(report).toMatchObject({ status: "completed", result: { exit_code: 0, final_message: "Done." } });
  expect(waits).toEqual([10_000, 20_000, 40_000]);
  expect(report.failedAttempts?.map(({ attempt, error, delayMs }) => [attempt, error.code, delayMs])).toEqual([
    [1, "adapter.port_exit", 10_000],
    [2, "adapter.port_exit", 20_000],
    [3, "adapter.port_exit", 40_000],
  ]);
  expect(record?.attempt).toBe(4);
  expect(starts.map(({ how }) => how)).toEqual(["new", "known", "known", "known"]);
  expect(new Set(starts.map(({ id }) => id)).size).toBe(1);
  expect(starts[3]?.prompt).toMatch(/^Your work on the task below was cut off.*\n\nDo it\.$/su);
  expect(starts[3]?.prompt.match(/was cut off/gu)).toHaveLength(1);
  const started = events.filter(({ type }) => type === "session_start").map(({ attempt }) => attempt);
  expect(started).toEqual([1, 2, 3, 4]);
  expect(events.filter(({ type }) => type === "run_start" || type === "run_end")).toHaveLength(2);
  const reported = events.filter((event) => event.type === "retry_scheduled");
  expect(reported.map(({ attempt, payload }) => [attempt, payload])[0]).toMatchObject([
    1,
    { attempt: 1, next_attempt: 2, tries: 1, max_attempts: 5, delay_ms: 10_000, error: { retryable: true } },
  ]);
});

test("the waits are between half and the whole, and within the limit", async () => {
  const half = await tryAgent({ plan: [BREAKS, BREAKS, WORKS], random: () => 0 });
  expect(half.waits).toEqual([5_000, 10_000]);
  const capped = await tryAgent({ plan: [BREAKS, BREAKS, WORKS], retry: { maxAttempts: 3, maxDelayMs: 12_000 } });
  expect(capped.waits).toEqual([10_000, 12_000]);
});

test("there are at most as many attempts as allowed, and one by default", async () => {
  const twice = await tryAgent({ plan: [BREAKS], retry: { maxAttempts: 2 } });
  expect(twice.report).toMatchObject({ status: "error", error: { code: "adapter.port_exit" } });
  expect(twice.report.result?.final_message).toBe("I begin.");
  expect(twice.starts).toHaveLength(2);
  const once = await tryAgent({ plan: [BREAKS], options: { retry: undefined } });
  expect([once.starts.length, once.report.failedAttempts]).toEqual([1, undefined]);
});

test("a final kind of failure is not retried, whatever its text [adapter-error-kinds-3] [adapter-error-kinds-1]", async () => {
  const { starts, report, waits } = await tryAgent({ plan: [{ says: "I will not.", reports: "refusal" }] });
  expect(report.error?.code).toBe("adapter.turn_refused");
  expect([starts.length, waits]).toEqual([1, []]);
});

test("an agent that stopped before it was done continues in another turn of its session", async () => {
  const { starts, report } = await tryAgent({ plan: [{ says: "Half.", reports: "incomplete" }, WORKS] });
  expect(report.failedAttempts?.[0]?.error.code).toBe("adapter.turn_incomplete");
  expect(starts.map(({ how, id }) => [how, id === starts[0]?.id])).toEqual([
    ["new", true],
    ["known", true],
  ]);
});

test("an agent that falls silent is ended and tried again [adapter-timeouts-2]", async () => {
  const plan = [{ says: "I think.", hangs: true }, WORKS];
  const { report, starts } = await tryAgent({ plan, agent: { config: { stall_timeout_ms: 400 } } });
  expect(report.failedAttempts?.map(({ error }) => error.code)).toEqual(["adapter.response_timeout"]);
  expect([report.status, starts.length]).toEqual(["completed", 2]);
});

test("a session that the agent never began is not continued: the next attempt begins a new one", async () => {
  const { report, starts } = await tryAgent({ plan: [{ session: false, exitCode: 1 }, WORKS] });
  expect(report.status).toBe("completed");
  expect(starts.map(({ how }) => how)).toEqual(["new", "new"]);
  expect(new Set(starts.map(({ id }) => id)).size).toBe(2);
});

test("a time limit that would be over before the next attempt ends the run at once", async () => {
  using workspace = temporaryWorkspace();
  const folder = join(dirname(workspace.root), "agent");
  mkdirSync(folder);
  const { engine, starts } = stumblingAgent(folder, [BREAKS]);
  const options = workspace.options({ engine, retry: { maxAttempts: 9 }, random: () => 1 });
  const report = await runSession(task("Do it.", { timeout_seconds: 9 }), options);
  expect(report).toMatchObject({ status: "error", error: { code: "adapter.port_exit" } });
  expect(starts()).toHaveLength(1);
});

test("an interrupt ends the wait, and earlier progress is kept", async () => {
  using workspace = temporaryWorkspace();
  const folder = join(dirname(workspace.root), "agent");
  mkdirSync(folder);
  const { engine } = stumblingAgent(folder, [BREAKS]);
  const clock = manualClock();
  const options = workspace.options({ engine, retry: { maxAttempts: 9 }, timer: clock });
  const handle = await startSession(task(), options);
  for await (const { type } of handle.events()) if (type === "retry_scheduled") break;
  handle.interrupt({ cause: "user_cancel" });
  const report = await handle.result;
  expect(report).toMatchObject({ status: "interrupted", result: { final_message: "I begin." } });
  expect(clock.sleeping).toBe(0);
});

test("a used-up budget of tokens is not tried again", async () => {
  const plan = [WORKS];
  const { report, starts } = await tryAgent({ plan, options: { budget: { totalTokens: 20 } } });
  expect(report.error?.code).toBe("budget.exceeded");
  expect(starts).toHaveLength(1);
});

test("a token budget for an agent that does not report tokens causes a warning before the run [adapter-capabilities-2]", async () => {
  const agent = { usage: "none" } as const;
  const { report, events } = await tryAgent({ plan: [WORKS], agent, options: { budget: { totalTokens: 20 } } });
  expect(report.warnings).toEqual([
    "custom does not report tokens, so the token limit has no effect; set a time limit.",
  ]);
  const types = events.map(({ type }) => type);
  expect(types.indexOf("warning")).toBeLessThan(types.indexOf("session_start"));
  const without = await tryAgent({ plan: [WORKS], options: { budget: { totalTokens: 2_000 } } });
  expect(without.report.warnings).toBeUndefined();
});

test("every engine with checkpoints continues from its last one", async () => {
  using workspace = temporaryWorkspace();
  let fails = 2;
  const attempts: (number | undefined)[] = [];
  const engine = countingEngine({
    ...{ steps: 3, supportsResume: true, emitsCheckpoint: true },
    before: (step, run) => {
      if (step === 1 || fails < 2) attempts.push(run.resume?.attempt);
      if (step === 2 && fails-- > 0) throw new EngineError("adapter.response_error", { problem: "busy" });
    },
  });
  const { timer } = impatientTimer();
  const report = await runSession(task(), workspace.options({ engine, timer, retry: { maxAttempts: 3 } }));
  expect(report).toMatchObject({ status: "completed", usage: { totalTokens: 33 } });
  expect(report.failedAttempts).toHaveLength(2);
  expect(attempts).toContain(3);
});

test("an engine that refuses to continue after a failure has the original failure", async () => {
  using workspace = temporaryWorkspace();
  const engine = countingEngine({
    ...{ steps: 3, supportsResume: true, emitsCheckpoint: true },
    before: (step) => {
      if (step === 2) throw new EngineError("adapter.response_error", { problem: "busy" });
    },
  });
  const refused = (): void => {
    throw new EngineError("transport.unknown_outcome", { engine: "counting", call: 2 });
  };
  const { timer, waits } = impatientTimer();
  const options = { engine: { ...engine, canResume: refused }, timer, retry: { maxAttempts: 3 } };
  const report = await runSession(task(), workspace.options(options));
  expect(report).toMatchObject({ status: "error", error: { code: "adapter.response_error" } });
  expect(report.warnings?.join()).toContain("The run was not tried again");
  expect(waits).toEqual([]);
});

test("a user's message since the last checkpoint is delivered again to the next attempt [D9]", async () => {
  using workspace = temporaryWorkspace();
  const received: (readonly [number, string])[] = [];
  const engine = countingEngine({
    ...{ steps: 1, supportsResume: true, emitsCheckpoint: true },
    before: async (_, run) => {
      const control = getDependency(run.deps, DEPENDENCY.control, isControlSource);
      const attempt = run.resume?.attempt ?? 1;
      await new Promise<void>((resolve) => {
        const take = (): void => {
          const texts = control.drain().map(({ text }) => text);
          received.push(...texts.map((text) => [attempt, text] as const));
          if (texts.length > 0) resolve();
        };
        control.onMessage(take);
        take();
      });
      if (attempt === 1) throw new EngineError("adapter.response_error", { problem: "busy" });
    },
  });
  const { timer } = impatientTimer();
  const handle = await startSession(task(), workspace.options({ engine, timer, retry: { maxAttempts: 2 } }));
  handle.steer("Faster.");
  expect((await handle.result).status).toBe("completed");
  expect(received).toEqual([
    [1, "Faster."],
    [2, "Faster."],
  ]);
});

test("an engine without checkpoints gets no second attempt: that is reported before anything runs", async () => {
  using workspace = temporaryWorkspace();
  const engine = countingEngine({ emitsCheckpoint: false });
  await expect(startSession(task(), workspace.options({ engine, retry: { maxAttempts: 2 } }))).rejects.toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("stores no checkpoints"),
  });
  for (const maxAttempts of [0, 1.5, Number.NaN]) {
    const options = workspace.options({ engine, retry: { maxAttempts } });
    await expect(startSession(task(), options)).rejects.toMatchObject({ code: "config.invalid" });
  }
});

test("the number of attempts is stored with the run", async () => {
  const { request } = await tryAgent({ plan: [WORKS], retry: { maxAttempts: 4, maxDelayMs: 1_000 } });
  expect(request?.settings).toEqual({ retry: { maxAttempts: 4, maxDelayMs: 1_000 } });
});

test("a failure whose retries the agent has exhausted is not retried, and a warning says so", async () => {
  using workspace = temporaryWorkspace();
  const problem = { provider: "p", status: 503, problem: "overloaded" };
  const client = scriptedClient(
    Array.from({ length: 20 }, () => failure(new EngineError("llm.server_error", problem))),
  );
  const turnRetry = { jitter: 0, delay: async () => undefined, maxTotalDelayMs: 3_000 };
  const engine = await openAgentEngine({ model: "anthropic/m", client, turnRetry });
  const { timer, waits } = impatientTimer();
  const report = await runSession(task(), workspace.options({ engine, timer, retry: { maxAttempts: 3 } }));
  expect([report.status, report.error?.code, waits]).toEqual(["error", "llm.server_error", []]);
  expect(report.warnings).toEqual([
    "The run was not attempted again, although 2 more attempts are allowed: the engine has already retried the failed model call for as long as it may.",
  ]);
  const again = { maxAttempts: 2, retriesExhausted: true };
  const retried = await runSession(task(), workspace.options({ engine, timer, retry: again }));
  expect([retried.failedAttempts?.length, retried.warnings]).toEqual([1, undefined]);
});
