import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EngineError, type RunStore } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { createMemoryStore } from "@switchyard/stores/memory";
import { openSqliteStore } from "@switchyard/stores/sqlite";
import { expect, test } from "vitest";
import { requeueSession, resumeSession, runSession, settleSession } from "../src/index.ts";
import { countingEngine, mishap } from "./counting-engine.ts";
import { collect, type TemporaryWorkspace, task, temporaryWorkspace } from "./temporary-session.ts";

/** Runs a session in a file store that fails before its third step. Returns its id and folder. */
async function failedRun(workspace: TemporaryWorkspace, steps = 3): Promise<{ runId: string; folder: string }> {
  const engine = countingEngine({
    before: (step) => {
      if (step === steps) throw mishap();
    },
  });
  const { runId, runFolder } = await runSession(task(), workspace.options({ engine, engineName: "counter" }));
  return { runId, folder: runFolder ?? "" };
}

/** Deletes the store's watermarks, so that only the event log is compared. */
function forgetWatermarks({ stateDirectory }: TemporaryWorkspace): void {
  rmSync(join(stateDirectory, "watermarks"), { recursive: true, force: true });
}

function stepsDone({ root }: TemporaryWorkspace): string {
  return readFileSync(join(root, "steps.txt"), "utf8");
}

/** Returns the error with which a resume was rejected, or the outcome of the resumed run. */
async function resumed(workspace: TemporaryWorkspace, runId: string, store?: RunStore): Promise<EngineError | string> {
  try {
    const options = workspace.options({ engine: countingEngine({ steps: 4 }), engineName: "counter", store });
    return (await (await resumeSession(runId, options)).result).status;
  } catch (error) {
    if (EngineError.is(error)) return error;
    throw error;
  }
}

function logOf(folder: string): string {
  const [name = ""] = readdirSync(join(folder, "checkpoints"));
  return join(folder, "checkpoints", name);
}

test("a resume without the checkpoints that its event log records is refused, and nothing is executed twice [D2] [D4]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  rmSync(join(folder, "checkpoints"), { recursive: true });
  forgetWatermarks(workspace);
  const refusal = await resumed(workspace, runId);
  expect(refusal).toMatchObject({ code: "checkpoint.lost", details: { runId, path: join(folder, "checkpoints") } });
  expect(String(refusal)).toContain("checkpoint 2 was saved, but no checkpoint is stored");
  expect(stepsDone(workspace)).toBe("1\n2\n");
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect((await store.show(runId)).record).toMatchObject({ status: "error", attempt: 1 });
});

test("a log of checkpoints that is cut off anywhere is refused, unless it only lacks its last line end [D2] [D3]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  const log = logOf(folder);
  const complete = readFileSync(log);
  for (let cut = 2; cut <= 200; cut += 6) {
    writeFileSync(log, complete);
    truncateSync(log, complete.length - cut);
    forgetWatermarks(workspace);
    const refusal = await resumed(workspace, runId);
    expect([cut, EngineError.is(refusal) ? refusal.code : refusal]).toEqual([
      cut,
      expect.stringMatching(/^checkpoint\.(lost|corrupt)$/),
    ]);
    expect(stepsDone(workspace)).toBe("1\n2\n");
  }
  writeFileSync(log, complete.subarray(0, -1));
  expect(await resumed(workspace, runId)).toBe("completed");
  expect(stepsDone(workspace)).toBe("1\n2\n3\n4\n");
});

test("a half-written checkpoint that no event records is dropped, and the run is resumed from the one before [D2]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  const log = logOf(folder);
  const complete = readFileSync(log);
  const last = complete.subarray(complete.lastIndexOf("\n", -2) + 1);
  writeFileSync(log, Buffer.concat([complete, last.subarray(0, 40)]));
  expect(await resumed(workspace, runId)).toBe("completed");
  expect(stepsDone(workspace)).toBe("1\n2\n3\n4\n");
});

test("an older copy of the checkpoints is refused with both numbers [D2]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace, 2);
  const copy = `${workspace.stateDirectory}.copy`;
  copyFileSync(logOf(folder), copy);
  const engine = countingEngine({
    before: (step) => {
      if (step === 3) throw mishap();
    },
  });
  const handle = await resumeSession(runId, workspace.options({ engine, engineName: "counter" }));
  expect((await handle.result).status).toBe("error");
  copyFileSync(copy, logOf(folder));
  forgetWatermarks(workspace);
  const refusal = await resumed(workspace, runId);
  expect(refusal).toMatchObject({ code: "checkpoint.lost" });
  expect(String(refusal)).toContain("checkpoint 2 was saved, but the newest stored checkpoint is number 1");
  expect(stepsDone(workspace)).toBe("1\n2\n");
});

test("a lost checkpoint is refused when the run is queued again, and named when it is settled [D2]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  rmSync(join(folder, "checkpoints"), { recursive: true });
  forgetWatermarks(workspace);
  const engine = countingEngine();
  const options = { engine, engineName: "counter", stateDirectory: workspace.stateDirectory };
  await expect(requeueSession(runId, options)).rejects.toMatchObject({ code: "checkpoint.lost" });
  const store = openFileStore({ directory: workspace.stateDirectory });
  const writer = await store.acquire(runId);
  await writer.update({ status: "running" });
  await writer.release();
  expect(await settleSession(runId, options)).toMatchObject({ status: "error" });
  expect((await store.show(runId)).report?.error).toMatchObject({ code: "checkpoint.lost" });
});

test("an automatic retry does not begin again when its checkpoints were deleted meanwhile [D2]", async () => {
  using workspace = temporaryWorkspace();
  const retry = { maxAttempts: 3, maxDelayMs: 1 };
  const engine = countingEngine({
    before: (step, run) => {
      if (step !== 3 || run.resume !== undefined) return;
      const folder = join(workspace.stateDirectory, "runs", run.id);
      rmSync(join(folder, "checkpoints"), { recursive: true });
      forgetWatermarks(workspace);
      throw mishap();
    },
  });
  const report = await runSession(task(), workspace.options({ engine, engineName: "counter", retry }));
  expect(report).toMatchObject({ status: "error", resumeError: { code: "checkpoint.lost" } });
  expect(report.warnings?.join("\n")).toContain("The run was not tried again");
  expect(stepsDone(workspace)).toBe("1\n2\n");
});

test("a run whose events were replaced by an older copy continues from its checkpoint, and reports lost events [D8]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  const path = join(folder, "events.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  const first = lines.findIndex((line) => line.includes("checkpoint_saved"));
  writeFileSync(path, `${lines.slice(0, first).join("\n")}\n`);
  expect(await resumed(workspace, runId)).toBe("completed");
  expect(stepsDone(workspace)).toBe("1\n2\n3\n4\n");
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect((await store.show(runId)).report?.warnings?.join("\n")).toContain("some of their events are lost");
});

test("an attempt never gets the number of an earlier one, although the record is older than the events [D7]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  const record = join(folder, "run.json");
  const copy = readFileSync(record);
  const engine = countingEngine({
    before: () => {
      throw mishap();
    },
  });
  for (const attempt of [2, 3]) {
    const handle = await resumeSession(runId, workspace.options({ engine, engineName: "counter" }));
    expect([attempt, (await handle.result).status]).toEqual([attempt, "error"]);
  }
  writeFileSync(record, copy);
  expect(await resumed(workspace, runId)).toBe("completed");
  const store = openFileStore({ directory: workspace.stateDirectory });
  expect((await store.show(runId)).record?.attempt).toBe(4);
  const ends = (await collect(store.events(runId))).filter(({ type }) => type === "run_end");
  expect(ends.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
});

test("a finished run whose record is an older copy is finished, not run again or interrupted [D7]", async () => {
  using workspace = temporaryWorkspace();
  const store = openFileStore({ directory: workspace.stateDirectory });
  const options = { engine: countingEngine(), engineName: "counter", stateDirectory: workspace.stateDirectory };
  const acts = {
    resume: (runId: string) => resumed(workspace, runId),
    requeue: (runId: string) => requeueSession(runId, options).catch((error: unknown) => error),
    settle: (runId: string) => settleSession(runId, options),
  };
  for (const [name, act] of Object.entries(acts)) {
    const { runId } = await runSession(task(), workspace.options({ engine: countingEngine(), engineName: "counter" }));
    const writer = await store.acquire(runId);
    await writer.update({ status: "running", finished_at: undefined });
    await writer.release();
    const finished = { status: "completed", finished_at: expect.any(String) };
    expect([name, await act(runId)]).toEqual([
      name,
      expect.objectContaining(name === "settle" ? finished : { code: "run.finished" }),
    ]);
    expect(await store.show(runId)).toMatchObject({ record: finished, report: { status: "completed" } });
  }
});

test("a run that lost its events and its checkpoints is refused because of its record [D2] [D4]", async () => {
  using workspace = temporaryWorkspace();
  const { runId, folder } = await failedRun(workspace);
  rmSync(join(folder, "checkpoints"), { recursive: true });
  writeFileSync(join(folder, "events.jsonl"), "");
  forgetWatermarks(workspace);
  const refusal = await resumed(workspace, runId);
  expect(refusal).toMatchObject({ code: "checkpoint.lost" });
  expect(String(refusal)).toContain("the run's record says that checkpoint 2 was saved, but no checkpoint is stored");
});

test("tool calls in the event log without any checkpoint are refused: their effects would be repeated [D4]", async () => {
  using workspace = temporaryWorkspace();
  const store = createMemoryStore({ directory: join(workspace.root, "../runs") });
  const engine = countingEngine({
    before: async (_step, run, host) => {
      const { createEnvelope } = await import("@switchyard/engine");
      const marks = { runId: run.id, attempt: 1, now: Date.now, createId: () => crypto.randomUUID() };
      await host.publish(createEnvelope("tool_call_start", { type: "tool_call", id: "c", name: "shell" }, marks));
      throw mishap();
    },
  });
  const { runId } = await runSession(task(), workspace.options({ engine, engineName: "counter", store }));
  const refusal = await resumed(workspace, runId, store);
  expect(refusal).toMatchObject({ code: "checkpoint.lost" });
});

test("in a database, lost rows and an older copy of its file are refused as well [D2]", async () => {
  using workspace = temporaryWorkspace();
  const path = join(workspace.root, "../runs.db");
  const open = () => openSqliteStore({ path });
  let store = await open();
  const fail = (at: number) =>
    countingEngine({
      before: (step) => {
        if (step === at) throw mishap();
      },
    });
  const options = { engineName: "counter", store };
  const { runId } = await runSession(task(), workspace.options({ ...options, engine: fail(2) }));
  await store.close();
  const copy = `${path}.copy`;
  cpSync(path, copy);

  store = await open();
  const second = await resumeSession(runId, workspace.options({ engine: fail(3), engineName: "counter", store }));
  expect((await second.result).status).toBe("error");
  await store.close();
  copyFileSync(copy, path);
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });

  store = await open();
  const refusal = await resumed(workspace, runId, store);
  expect(refusal).toMatchObject({ code: "checkpoint.lost" });
  expect(stepsDone(workspace)).toBe("1\n2\n");
  await store.close();
});
