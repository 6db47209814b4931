import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Engine, EngineError, type Run, type RunStore, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { createMemoryStore } from "@switchyard/stores/memory";
import { manualClock } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { type ResumeSessionOptions, resumeSession, runSession, startSession } from "../src/index.ts";
import { countingEngine, mishap } from "./counting-engine.ts";
import { collect, deferred, type TemporaryWorkspace, task, temporaryWorkspace, typesOf } from "./temporary-session.ts";

function memoryStore({ root }: TemporaryWorkspace): RunStore {
  return createMemoryStore({ directory: join(root, "../runs") });
}

/** Runs a session whose engine fails before a step, in a separate store. */
async function failedAt(step: number, workspace: TemporaryWorkspace, more: Partial<ResumeSessionOptions> = {}) {
  const store = memoryStore(workspace);
  const engine = countingEngine({
    before: (next) => {
      if (next === step) throw mishap();
    },
  });
  const options = workspace.options({ engine, store, engineName: "counter", ...more });
  const report = await runSession(task(), options);
  expect(report).toMatchObject({ status: "error", error: { code: "llm.network" } });
  return { store, report, runId: report.runId };
}

function resumption(workspace: TemporaryWorkspace, more: Partial<ResumeSessionOptions>): ResumeSessionOptions {
  return workspace.options({ engine: countingEngine(), engineName: "counter", ...more });
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return EngineError.is(error) ? error.code : String(error);
}

test("a failed run continues from its checkpoint: nothing is executed twice, seq has no gap, one record [D7] [D8] [D9]", async () => {
  using workspace = temporaryWorkspace();
  const { store, runId, report: first } = await failedAt(3, workspace);
  const before = await collect(store.events(runId));
  const handle = await resumeSession(runId, resumption(workspace, { store }));
  expect(handle).toMatchObject({ runId, startSeq: before.length });
  const added = await collect(handle.events(handle.startSeq));
  const report = await handle.result;

  expect(report).toMatchObject({ runId, status: "completed", result: { final_message: "attempt 2" } });
  expect(report.timing.startedAt).toBe(first.timing.startedAt);
  expect(readFileSync(join(workspace.root, "steps.txt"), "utf8")).toBe("1\n2\n3\n");
  expect(report.usage.totalTokens).toBe(33);
  const events = await collect(store.events(runId));
  expect(events).toEqual([...before, ...added]);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(added.map((event) => event.attempt))).toEqual(new Set([2]));
  expect(added[0]).toMatchObject({ type: "run_start", payload: { resumed: true } });
  expect(before[0]).toMatchObject({ type: "run_start", payload: { resumed: false } });
  expect(typesOf(events).filter((type) => type === "run_end")).toHaveLength(2);
  expect(typesOf(events).at(-1)).toBe("run_end");
  const stored = await store.show(runId);
  expect(stored.record).toMatchObject({ status: "completed", attempt: 2, created_at: first.timing.startedAt });
  expect(stored.report).toEqual(report);
  expect(stored.lease?.isHeld).toBe(false);
});

test("the engine receives the reason and time of the resume, and the checkpoint", async () => {
  using workspace = temporaryWorkspace();
  const { store, runId, report } = await failedAt(2, workspace);
  let seen: Run | undefined;
  const engine = countingEngine({
    before: (_step, run) => {
      seen = run;
    },
  });
  const options = resumption(workspace, { engine, store, reason: "crash", attributes: { "tenant.id": "t" } });
  await (await resumeSession(runId, options)).result;
  expect(seen?.resume).toMatchObject({ attempt: 2, startedAt: report.timing.startedAt, signal: "crash" });
  expect(seen?.resume?.checkpointAt).toBe(seen?.resumeFrom?.timestamp);
  expect(seen?.resumeFrom?.step).toBe("step 1");
  expect(seen?.attributes["tenant.id"]).toBe("t");
});

test("an ended run is not resumed, and does not change", async () => {
  using workspace = temporaryWorkspace();
  const endings: Record<string, Engine> = {
    completed: countingEngine(),
    failed: countingEngine({ steps: 0 }),
  };
  for (const [status, engine] of Object.entries(endings)) {
    const store = memoryStore(workspace);
    const failing: Engine = defineEngine(async (run, host, board) => {
      await engine.execute(run, host, board);
      board.set(SESSION_RESULT, { exit_code: status === "failed" ? 1 : 0, final_message: "" });
    });
    const report = await runSession(task(), workspace.options({ engine: failing, engineName: "counter", store }));
    expect(report.status).toBe(status);
    const before = await store.show(report.runId);
    expect(await codeOf(resumeSession(report.runId, resumption(workspace, { store })))).toBe("run.finished");
    expect((await store.show(report.runId)).record).toEqual(before.record);
    expect((await store.show(report.runId)).lease?.isHeld).toBe(false);
  }
  expect(await codeOf(resumeSession("absent", resumption(workspace, { store: memoryStore(workspace) })))).toBe(
    "run.not_found",
  );
  expect(await codeOf(resumeSession("../x", resumption(workspace, {})))).toBe("run.invalid_id");
});

test("interrupted and timed out runs can be resumed; cancelled ones cannot", async () => {
  using workspace = temporaryWorkspace();
  const store = memoryStore(workspace);
  const started = deferred();
  const waiting = countingEngine({
    before: async (step, run, host) => {
      if (step !== 2) return;
      started.resolve();
      await host.interrupts()?.receive(run.signal);
    },
  });
  const handle = await startSession(task(), workspace.options({ engine: waiting, engineName: "counter", store }));
  await started.promise;
  handle.interrupt({ cause: "host_shutdown" });
  expect((await handle.result).status).toBe("interrupted");
  const again = await resumeSession(handle.runId, resumption(workspace, { store }));
  expect(await again.result).toMatchObject({ status: "completed" });

  const aborted = AbortSignal.abort();
  const cancelled = await runSession(task(), resumption(workspace, { store, signal: aborted }));
  expect(cancelled.status).toBe("cancelled");
  expect(await codeOf(resumeSession(cancelled.runId, resumption(workspace, { store })))).toBe("run.finished");
});

test("of two that resume a run one gets it, until that one is done or is taken over from [D6]", async () => {
  using workspace = temporaryWorkspace();
  const { store, runId } = await failedAt(2, workspace);
  const going = deferred();
  const engine = countingEngine({ before: () => going.promise });
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => resumeSession(runId, resumption(workspace, { engine, store }))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refused).toMatchObject([{ code: "run.leased" }]);
  const [first] = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));

  const second = await resumeSession(runId, resumption(workspace, { store, takeOver: true }));
  const [lost, won] = await Promise.all([first?.result, second.result.finally(() => going.resolve(undefined))]);
  expect(won).toMatchObject({ status: "completed", result: { final_message: "attempt 3" } });
  expect(lost).toMatchObject({ status: "error", error: { code: "store.stale_epoch" } });
  const stored = await store.show(runId);
  expect(stored.report).toEqual(won);
  expect(stored.record).toMatchObject({ status: "completed", attempt: 3 });
  const events = await collect(store.events(runId));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === "run_end").map((event) => event.attempt)).toEqual([1, 3]);
});

test("a checkpoint that cannot be loaded is an error, the run stays as it was and free [D3]", async () => {
  using workspace = temporaryWorkspace();
  const { store, runId } = await failedAt(2, workspace);
  const before = await store.show(runId);
  const damaged = {
    ...store,
    acquire: async (...given: Parameters<typeof store.acquire>) => {
      const writer = await store.acquire(...given);
      const load = async () => Promise.reject(new EngineError("checkpoint.corrupt", { path: "p", problem: "zeroes" }));
      return Object.create(writer, { load: { value: load } });
    },
  };
  expect(await codeOf(resumeSession(runId, resumption(workspace, { store: damaged })))).toBe("checkpoint.corrupt");
  const after = await store.show(runId);
  expect(after.record).toEqual(before.record);
  expect(await collect(store.events(runId))).toHaveLength((await collect(store.events(runId))).length);
  expect(after.lease?.isHeld).toBe(false);
});

test("engines without resume, with another name or a newer definition are refused, and nothing changes [D11]", async () => {
  using workspace = temporaryWorkspace();
  const { store, runId } = await failedAt(2, workspace);
  const before = (await store.show(runId)).record;
  const drifted = () => {
    throw new EngineError("checkpoint.drifted", { found: "1", expected: "2" });
  };
  const refusals: [string, Partial<ResumeSessionOptions>][] = [
    ["checkpoint.unsupported", { engine: countingEngine({ supportsResume: false }) }],
    ["checkpoint.drifted", { engine: countingEngine({ canResume: drifted }) }],
    ["run.not_resumable", { engineName: "other" }],
    ["engine.missing_dependency", { engine: countingEngine({ requiredDependencies: ["history.store"] }) }],
    ["workspace.not_found", { environment: { type: "local", root: join(workspace.root, "gone") } }],
  ];
  for (const [code, more] of refusals) {
    expect(await codeOf(resumeSession(runId, resumption(workspace, { store, ...more })))).toBe(code);
    const stored = await store.show(runId);
    expect(stored.record).toEqual(before);
    expect(stored.lease?.isHeld).toBe(false);
  }
});

test("without a checkpoint, only an engine that saves one before it does anything starts again", async () => {
  using workspace = temporaryWorkspace();
  const { store, runId } = await failedAt(1, workspace);
  const silent = countingEngine({ emitsCheckpoint: false });
  expect(await codeOf(resumeSession(runId, resumption(workspace, { store, engine: silent })))).toBe(
    "run.not_resumable",
  );
  const handle = await resumeSession(runId, resumption(workspace, { store }));
  const added = await collect(handle.events(handle.startSeq));
  expect(added[0]).toMatchObject({ type: "run_start", attempt: 2, payload: { resumed: false } });
  expect(await handle.result).toMatchObject({ status: "completed", usage: { totalTokens: 33 } });
});

test("a report says why its run cannot be resumed, if it cannot", async () => {
  using workspace = temporaryWorkspace();
  expect((await failedAt(1, workspace)).report).not.toHaveProperty("resumeError");
  const before = (): never => {
    throw mishap();
  };
  const silent = countingEngine({ emitsCheckpoint: false, before });
  const report = await runSession(task(), workspace.options({ engine: silent, engineName: "counter" }));
  expect(report).toMatchObject({
    status: "error",
    error: { code: "llm.network" },
    resumeError: { code: "run.not_resumable" },
  });
});

test("a response counted before the crash is not counted again, and the budget continues [D14]", async () => {
  using workspace = temporaryWorkspace();
  const store = memoryStore(workspace);
  const failing = countingEngine({
    beforeCheckpoint: () => {
      throw mishap();
    },
  });
  const budget = { totalTokens: 100, modelCalls: 3 };
  const options = { store, engineName: "counter", budget };
  const { runId, usage } = await runSession(task(), workspace.options({ engine: failing, ...options }));
  expect(usage.totalTokens).toBe(11);
  expect((await store.show(runId)).request?.settings).toMatchObject({ budget });
  // Step 1 is repeated with the same response id as before.
  const engine = countingEngine({
    steps: 9,
    before: (step) => {
      if (step === 3) throw mishap();
    },
  });
  const report = await (await resumeSession(runId, resumption(workspace, { store, engine }))).result;
  expect(report).toMatchObject({ error: { code: "llm.network" }, usage: { totalTokens: 22 } });
  const third = await (await resumeSession(runId, resumption(workspace, { store }))).result;
  expect(third).toMatchObject({ status: "error", error: { code: "budget.exceeded" }, usage: { totalTokens: 33 } });
  expect(await codeOf(resumeSession(runId, resumption(workspace, { store })))).toBe("budget.exceeded");
  const more = resumption(workspace, { store, budget: { totalTokens: 100 } });
  expect(await (await resumeSession(runId, more)).result).toMatchObject({ status: "completed" });
});

test("usage is stored with each checkpoint: events may be lost in a power failure [D9] [D14]", async () => {
  using workspace = temporaryWorkspace();
  const budget = { totalTokens: 30 };
  const { store, runId } = await failedAt(3, workspace, { budget });
  const forgetful: RunStore = {
    ...store,
    events: async function* () {},
    show: async (id) => ({ ...(await store.show(id)), report: undefined }),
  };
  const spent = await (await resumeSession(runId, resumption(workspace, { store: forgetful }))).result;
  expect(spent).toMatchObject({ error: { code: "budget.exceeded" }, usage: { totalTokens: 33 } });
  const more = resumption(workspace, { store: forgetful, budget: { totalTokens: 100 } });
  expect(await (await resumeSession(runId, more)).result).toMatchObject({
    status: "completed",
    usage: { totalTokens: 33 },
  });
});

test("a response recorded in both events and checkpoints is charged once [D14]", async () => {
  using workspace = temporaryWorkspace();
  const store = memoryStore(workspace);
  const failing = countingEngine({
    beforeCheckpoint: (step) => {
      if (step === 3) throw mishap();
    },
  });
  const { runId } = await runSession(task(), workspace.options({ engine: failing, engineName: "counter", store }));
  // The last response is in no checkpoint, the first one in no event.
  const forgetful: RunStore = {
    ...store,
    events: async function* (id, afterSeq) {
      for await (const event of store.events(id, afterSeq)) {
        if (event.type !== "usage_reported" || event.payload.response_id !== "answer-1") yield event;
      }
    },
    show: async (id) => ({ ...(await store.show(id)), report: undefined }),
  };
  const { result } = await resumeSession(runId, resumption(workspace, { store: forgetful }));
  expect(await result).toMatchObject({ status: "completed", usage: { totalTokens: 33 } });
});

test("a damaged report and lost events are reported, and the run continues [D3] [D8]", async () => {
  using workspace = temporaryWorkspace();
  const damage = new EngineError("run.malformed_record", { path: "report.json", problem: "its checksum is missing" });
  const lossy: [string, Partial<RunStore>][] = [];
  const { store, runId } = await failedAt(3, workspace);
  lossy.push(
    ["report.json", { show: async (id) => ({ ...(await store.show(id)), report: undefined, problems: [damage] }) }],
    ["some of their events are lost", { events: async function* () {} }],
    [
      "some of their events are lost",
      {
        events: async function* (id, afterSeq) {
          for await (const event of store.events(id, afterSeq)) if (event.type !== "run_end") yield event;
        },
      },
    ],
  );
  for (const [reported, changes] of lossy) {
    const broken = countingEngine({
      before: () => {
        throw mishap();
      },
    });
    const resuming = resumption(workspace, { engine: broken, store: { ...store, ...changes } });
    const report = await (await resumeSession(runId, resuming)).result;
    expect(report.warnings).toContainEqual(expect.stringContaining(reported));
  }
  const report = await (await resumeSession(runId, resumption(workspace, { store }))).result;
  expect(report).toMatchObject({ status: "completed" });
  expect(report.warnings ?? []).toEqual([]);
});

test("the time limit includes the time of earlier attempts, and may be raised [D12]", async () => {
  using workspace = temporaryWorkspace();
  const clock = manualClock();
  const store = memoryStore(workspace);
  const slow = (last: number) =>
    countingEngine({
      before: async (step, run) => {
        if (step === last) throw mishap();
        await clock.sleep(40_000, { signal: run.signal });
      },
    });
  const options = { store, timer: clock, now: clock.now, engineName: "counter" };
  const first = startSession(task("x", { timeout_seconds: 60 }), workspace.options({ ...options, engine: slow(2) }));
  const { runId, result } = await first;
  while (clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(40_000);
  expect(await result).toMatchObject({ status: "error", timing: { durationMs: 40_000 } });

  const second = await resumeSession(runId, resumption(workspace, { ...options, engine: slow(9) }));
  while (clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(20_000);
  expect(await second.result).toMatchObject({ status: "timed_out", timing: { durationMs: 60_000 } });
  expect(await codeOf(resumeSession(runId, resumption(workspace, options)))).toBe("run.timed_out");
  const raised = await resumeSession(runId, resumption(workspace, { ...options, timeoutSeconds: 600 }));
  expect(await raised.result).toMatchObject({ status: "completed", timing: { durationMs: 60_000 } });
});

test.each(["repository", "plain folder"])(
  "the diff of a resumed run is against the workspace, a %s, before its first attempt",
  async (kind) => {
    using workspace = temporaryWorkspace();
    workspace.write("steps.txt", "0\n");
    if (kind === "repository") {
      workspace.git("init", "-q");
      workspace.git("add", "-A");
    }
    const { store, runId, report } = await failedAt(3, workspace, { workspaceDiff: true });
    expect(report.workspaceDiff).toContain("+2");
    writeFileSync(join(workspace.root, "between.txt"), "by a person\n");
    const handle = await resumeSession(runId, resumption(workspace, { store, workspaceDiff: true }));
    const { workspaceDiff = "", warnings } = await handle.result;
    expect(warnings).toBeUndefined();
    expect(workspaceDiff).toContain(" 0\n+1\n+2\n+3\n");
    expect(workspaceDiff).toContain("+by a person");
  },
);

test("settings of the host are stored with the request", async () => {
  using workspace = temporaryWorkspace();
  const store = memoryStore(workspace);
  const options = { engine: countingEngine(), store, settings: { base_url: "http://127.0.0.1:1/v1" } };
  const { runId } = await runSession(task("Count."), workspace.options(options));
  expect((await store.show(runId)).request).toEqual({
    format: 1,
    input: { messages: [{ role: "user", content: "Count." }], workspace: workspace.root },
    settings: { base_url: "http://127.0.0.1:1/v1" },
  });
});
