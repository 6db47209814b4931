import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  DEPENDENCY,
  EngineError,
  type ExecutionEnvironment,
  type Interrupt,
  MAIN_CHANNEL,
  SESSION_RESULT,
  textMessage,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { manualClock } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { runSession, startSession } from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

function heedful(started: () => void) {
  return defineEngine(async (run, host, board) => {
    board.set(SESSION_RESULT, { exit_code: 1, final_message: "half" });
    started();
    const interrupted = host.interrupts()?.receive(run.signal);
    await new Promise<void>((resolve) => {
      run.signal.addEventListener("abort", () => resolve(), { once: true });
      interrupted?.then(() => resolve());
    });
    run.signal.throwIfAborted();
    throw new DOMException("stopped", "AbortError");
  });
}

function isEnvironment(value: unknown): value is ExecutionEnvironment {
  return typeof value === "object" && value !== null && "spawn" in value;
}

const DEAF = { execute: () => new Promise<never>(() => undefined) };

test.each(["interrupt", "signal"])(
  "a look at the workspace that does not end is given up at an %s [D10]",
  async (way) => {
    using workspace = temporaryWorkspace();
    workspace.git("init", "-q");
    execFileSync("mkfifo", [join(workspace.root, ".gitignore")]);
    const host = new AbortController();
    const options = workspace.options({ engine: DEAF, workspaceDiff: true, signal: host.signal });
    const handle = await startSession(task(), options);
    if (way === "signal") host.abort();
    else handle.interrupt({ cause: "user_cancel" });
    expect(await handle.result).toMatchObject({ status: way === "signal" ? "cancelled" : "interrupted" });
  },
);

test("an interrupt ends the run as interrupted with its cause; the first one counts", async () => {
  using workspace = temporaryWorkspace();
  const started = deferred();
  const handle = await startSession(task(), workspace.options({ engine: heedful(started.resolve) }));
  await started.promise;
  const causes: Interrupt[] = [{ cause: "user_cancel", detail: "enough" }, { cause: "host_shutdown" }];
  for (const interrupt of causes) handle.interrupt(interrupt);
  const report = await handle.result;
  const events = await collect(handle.events());
  expect(report).toMatchObject({
    status: "interrupted",
    error: { code: "run.interrupted" },
    result: { final_message: "half" },
  });
  expect(report.error?.message).toContain("user_cancel");
  expect(events.filter((event) => event.type === "interrupt_requested").map((event) => event.payload)).toEqual([
    { cause: "user_cancel", detail: "enough" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "run_end", payload: { outcome: "interrupted" } });
});

test("the host's signal cancels the run, also when it fired before the start", async () => {
  using workspace = temporaryWorkspace();
  const started = deferred();
  const controller = new AbortController();
  const engine = heedful(started.resolve);
  const handle = await startSession(task(), workspace.options({ engine, signal: controller.signal }));
  await started.promise;
  controller.abort(new Error("job was deleted"));
  expect(await handle.result).toMatchObject({ status: "cancelled", error: { code: "run.cancelled" } });

  let ran = false;
  const eager = defineEngine(async () => {
    ran = true;
  });
  const late = await runSession(task(), workspace.options({ engine: eager, signal: controller.signal }));
  expect(late).toMatchObject({ status: "cancelled", error: { code: "run.cancelled" } });
  expect(ran).toBe(false);
});

test("a run whose time is up ends as timed_out, by the monotonic clock", async () => {
  using workspace = temporaryWorkspace();
  const clock = manualClock();
  const started = deferred();
  const options = workspace.options({ engine: heedful(started.resolve), now: clock.now, timer: clock });
  const handle = await startSession(task("x", { timeout_seconds: 90 }), options);
  await started.promise;
  await clock.advance(89_999);
  expect((await openFileStore({ directory: workspace.stateDirectory }).show(handle.runId)).record?.status).toBe(
    "running",
  );
  await clock.advance(1);
  const report = await handle.result;
  expect(report).toMatchObject({
    status: "timed_out",
    error: { code: "run.timed_out" },
    result: { final_message: "half" },
  });
  expect(report.error?.message).toContain("90000");
});

test("an engine that never ends is abandoned after its grace period, and the report says so", async () => {
  using workspace = temporaryWorkspace();
  const clock = manualClock();
  const options = workspace.options({ engine: DEAF, engineName: "deaf", timer: clock, cancelGraceMs: 5_000 });
  const handle = await startSession(task("x", { timeout_seconds: 1 }), options);
  await clock.advance(1_000);
  await clock.advance(5_000);
  const report = await handle.result;
  const events = await collect(handle.events());
  expect(report.status).toBe("timed_out");
  expect(report.warnings).toEqual(["The engine deaf did not stop in time and was abandoned."]);
  expect(typesOf(events)).toEqual(["run_start", "warning", "run_status_changed", "run_end"]);
});

test("no process of an engine survives a session with its own environment [D10]", async () => {
  using workspace = temporaryWorkspace();
  let pid: number | undefined;
  const engine = defineEngine(async (run) => {
    const environment = getDependency(run.deps, DEPENDENCY.environment, isEnvironment);
    pid = (await environment.spawn(["sleep", "300"])).pid;
    await DEAF.execute();
  });
  const report = await runSession(
    task("x", { timeout_seconds: 0.2 }),
    workspace.options({ engine, cancelGraceMs: 50 }),
  );
  expect(report.status).toBe("timed_out");
  expect(pid).toBeGreaterThan(0);
  expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
});

test("an engine that does not heed an interrupt is cancelled after its grace; the cause stays the interrupt", async () => {
  using workspace = temporaryWorkspace();
  const clock = manualClock();
  let reason: unknown;
  const started = deferred();
  const engine = defineEngine(async (run) => {
    started.resolve();
    await new Promise((resolve) => run.signal.addEventListener("abort", resolve, { once: true }));
    reason = run.signal.reason;
    throw reason;
  });
  const handle = await startSession(task(), workspace.options({ engine, timer: clock, interruptGraceMs: 10_000 }));
  await started.promise;
  handle.interrupt({ cause: "host_shutdown" });
  await clock.advance(9_999);
  expect(reason).toBeUndefined();
  await clock.advance(1);
  expect(await handle.result).toMatchObject({ status: "interrupted", error: { code: "run.interrupted" } });
  expect(reason).toMatchObject({ code: "run.interrupted" });
});

test("a cancellation after an interrupt hastens the end and does not change the cause", async () => {
  using workspace = temporaryWorkspace();
  const controller = new AbortController();
  const clock = manualClock();
  const started = deferred();
  const engine = {
    execute: () => {
      started.resolve();
      return DEAF.execute();
    },
  };
  const handle = await startSession(task(), workspace.options({ engine, timer: clock, signal: controller.signal }));
  await started.promise;
  handle.interrupt({ cause: "user_cancel" });
  controller.abort();
  await clock.advance(5_000);
  expect((await handle.result).status).toBe("interrupted");
});

test("stopping an ended run changes nothing", async () => {
  using workspace = temporaryWorkspace();
  const controller = new AbortController();
  const engine = defineEngine(async (_run, _host, board) => {
    board.appendChannelMessage(MAIN_CHANNEL, textMessage("assistant", "done"));
  });
  const handle = await startSession(task(), workspace.options({ engine, signal: controller.signal }));
  const report = await handle.result;
  handle.interrupt({ cause: "user_cancel" });
  handle.steer("more");
  handle.suggestCheckpoint();
  controller.abort();
  const stored = await openFileStore({ directory: workspace.stateDirectory }).show(handle.runId);
  expect(stored.report).toEqual(report);
  expect(stored.record?.status).toBe("completed");
  expect(() => handle.answer("x", { parts: [] })).toThrow(EngineError);
});
