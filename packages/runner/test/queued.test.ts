import { EngineError, type SessionReport } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { queueSession, requeueSession, resumeSession, runSession, settleSession } from "../src/index.ts";
import { countingEngine, mishap } from "./counting-engine.ts";
import { collect, type TemporaryWorkspace, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return EngineError.is(error) ? error.code : String(error);
}

/** Returns the parts of a host that queues runs. */
function hostOf(workspace: TemporaryWorkspace, engine = countingEngine({ steps: 1 })) {
  const store = openFileStore({ directory: workspace.stateDirectory });
  return { store, options: workspace.options({ engine, engineName: "counter", store }) };
}

/** Returns an engine without checkpoints, which may have had effects before anything could be resumed. */
function withoutCheckpoint(before?: () => void) {
  return countingEngine({ emitsCheckpoint: false, steps: 1, ...(before === undefined ? {} : { before }) });
}

test("a queued run is on disk before anything of it happens, and its first attempt begins it [D1]", async () => {
  using workspace = temporaryWorkspace();
  const { store, options } = hostOf(workspace, withoutCheckpoint());
  const record = await queueSession(task("Later."), { ...options, owner: "ada", settings: { note: "kept" } });
  expect(record).toMatchObject({ status: "queued", attempt: 1, owner: "ada", title: "Later.", engine: "counter" });
  const stored = await store.show(record.run_id);
  expect(stored).toMatchObject({ record, request: { settings: { note: "kept" } }, lease: { isHeld: false } });
  expect(await collect(store.events(record.run_id))).toEqual([]);

  const report = await (await resumeSession(record.run_id, options)).result;
  expect(report).toMatchObject({ status: "completed", result: { final_message: "attempt 1" } });
  const events = await collect(store.events(record.run_id));
  expect(events[0]).toMatchObject({ type: "run_start", attempt: 1, payload: { resumed: false } });
  expect(typesOf(events).filter((type) => type === "run_end")).toHaveLength(1);
  expect((await store.show(record.run_id)).record).toMatchObject({ status: "completed", attempt: 1, owner: "ada" });
});

test("a run took the time since it began, not since it was queued", async () => {
  using workspace = temporaryWorkspace();
  const { store, options } = hostOf(workspace, countingEngine());
  const [accepted, began] = ["2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000Z"];
  const { run_id: runId } = await queueSession(task("Later."), { ...options, now: () => Date.parse(accepted) });
  expect((await store.show(runId)).record).not.toHaveProperty("started_at");
  const { timing } = await (await resumeSession(runId, { ...options, now: () => Date.parse(began) })).result;
  expect(timing.startedAt).toBe(began);
  expect((await store.show(runId)).record).toMatchObject({ created_at: accepted, started_at: began });
  const { record } = await store.show((await runSession(task("Now."), options)).runId);
  expect(record?.started_at).toBe(record?.created_at);
});

test("an invalid run is not queued", async () => {
  using workspace = temporaryWorkspace();
  const { store, options } = hostOf(workspace);
  expect(await codeOf(queueSession({ messages: [] }, options))).toBe("input.invalid");
  expect(await codeOf(queueSession(task(), { ...options, runId: "a/b" }))).toBe("run.invalid_id");
  expect(await codeOf(queueSession(task(), { ...options, engine: "nobody" }))).toBe("engine.not_found");
  await queueSession(task(), { ...options, runId: "twice" });
  expect(await codeOf(queueSession(task(), { ...options, runId: "twice" }))).toBe("run.conflict");
  expect(await store.list()).toHaveLength(1);
});

test("a run that failed before its end is queued again and continues; an ended run is not", async () => {
  using workspace = temporaryWorkspace();
  const failing = countingEngine({
    steps: 2,
    before: (step) => {
      if (step === 2) throw mishap();
    },
  });
  const { store, options } = hostOf(workspace, failing);
  const { runId } = await runSession(task(), options);
  expect(await requeueSession(runId, options)).toMatchObject({ status: "queued", finished_at: undefined });
  expect((await store.show(runId)).record).toMatchObject({ status: "queued", attempt: 1 });
  const again = { ...options, engine: countingEngine({ steps: 2 }) };
  const report: SessionReport = await (await resumeSession(runId, again)).result;
  expect(report).toMatchObject({ status: "completed", result: { final_message: "attempt 2" } });
  expect(await codeOf(requeueSession(runId, options))).toBe("run.finished");
  expect(await codeOf(requeueSession("nobody", options))).toBe("run.not_found");
});

test("a run that cannot be resumed is not queued again, and the reason is reported", async () => {
  using workspace = temporaryWorkspace();
  const engine = withoutCheckpoint(() => {
    throw mishap();
  });
  const { options } = hostOf(workspace, engine);
  const { runId } = await runSession(task(), options);
  expect(await codeOf(requeueSession(runId, options))).toBe("run.not_resumable");
  expect(await codeOf(requeueSession(runId, { ...options, engineName: "another" }))).toBe("run.not_resumable");
});

test("a run without a process is settled: interrupted if it can be resumed, else an error", async () => {
  using workspace = temporaryWorkspace();
  const { store, options } = hostOf(workspace, withoutCheckpoint());
  const { run_id: waiting } = await queueSession(task(), options);
  expect(await settleSession(waiting, options)).toMatchObject({ status: "interrupted" });
  expect(await store.show(waiting)).toMatchObject({
    record: { status: "interrupted" },
    report: { status: "interrupted", error: { code: "run.interrupted" } },
  });
  expect(await codeOf(settleSession(waiting, options))).toBe("run.finished");
  // The run had no effects yet, so it can start.
  expect((await (await resumeSession(waiting, options)).result).status).toBe("completed");

  const { run_id: begun } = await queueSession(task(), options);
  const writer = await store.acquire(begun);
  await writer.update({ status: "running", environment: "local" });
  expect(await codeOf(settleSession(begun, options))).toBe("run.leased");
  await writer.release();
  expect(await settleSession(begun, options)).toMatchObject({ status: "error" });
  expect((await store.show(begun)).report).toMatchObject({ error: { code: "run.not_resumable" } });

  const { run_id: refused } = await queueSession(task(), options);
  const error = new EngineError("workspace.not_found", { path: "/gone" });
  expect(await settleSession(refused, { ...options, error })).toMatchObject({ status: "error" });
  expect((await store.show(refused)).report?.error).toMatchObject({ code: "workspace.not_found" });
});
