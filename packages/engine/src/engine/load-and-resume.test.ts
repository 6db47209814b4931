import {
  type Checkpoint,
  type CheckpointStore,
  type Engine,
  EngineError,
  findEngineError,
  type ResumeContext,
  type Run,
} from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import {
  createBoard,
  createDependencies,
  defineEngine,
  type LoadAndResumeOptions,
  loadAndResume,
  noopCheckpointStore,
  noopHost,
  withCapabilities,
} from "../index.ts";

const MADE_AT = "2026-03-01T00:00:05.000Z";
const NOW = "2026-03-02T00:00:00.000Z";

function checkpointOf(overrides: Partial<Checkpoint> = {}): Checkpoint {
  const board = createBoard();
  board.setVar("from", "checkpoint");
  return { execId: "run-1", board: board.snapshot(), timestamp: MADE_AT, ...overrides };
}

function storeOf(checkpoint: Checkpoint | undefined): { store: Pick<CheckpointStore, "load">; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    store: {
      async load(execId) {
        asked.push(execId);
        return checkpoint;
      },
    },
  };
}

/** An engine that resumes and reports what it received. */
function observed(check?: (checkpoint: Checkpoint) => void): { engine: Engine; runs: Run[]; froms: unknown[] } {
  const runs: Run[] = [];
  const froms: unknown[] = [];
  const engine = defineEngine(
    async (run, _host, board) => {
      runs.push(run);
      froms.push(board.getVar("from"));
    },
    { supportsResume: true, canResume: check },
  );
  return { engine, runs, froms };
}

function options(overrides: Partial<LoadAndResumeOptions> = {}): LoadAndResumeOptions {
  const signal = new AbortController().signal;
  const run: Run = { id: "run-1", attributes: {}, deps: createDependencies(), signal };
  return { run, host: noopHost(), now: () => Date.parse(NOW), ...overrides };
}

async function contextOf(
  given: Partial<LoadAndResumeOptions>,
  checkpoint?: Checkpoint,
): Promise<ResumeContext | undefined> {
  const { engine, runs } = observed();
  await loadAndResume(engine, options({ store: storeOf(checkpoint).store, ...given }));
  return runs[0]?.resume;
}

async function failureOf(execution: Promise<unknown>): Promise<EngineError> {
  const error = await execution.then(
    () => new Error("nothing failed"),
    (reason: unknown) => reason,
  );
  if (EngineError.is(error)) return error;
  throw error;
}

test("a stored checkpoint is loaded by the run's id and executed from [engine-load-and-resume-1]", async () => {
  const checkpoint = checkpointOf();
  const { store, asked } = storeOf(checkpoint);
  const { engine, runs, froms } = observed();
  const board = createBoard();
  expect(await loadAndResume(engine, options({ store, board }))).toBe(board);
  expect(asked).toEqual(["run-1"]);
  expect([runs[0]?.resumeFrom, froms]).toEqual([checkpoint, ["checkpoint"]]);
});

test("without a checkpoint, or without a store, the run starts afresh on the board that was passed [engine-load-and-resume-3] [engine-load-and-resume-5] [engine-load-and-resume-14]", async () => {
  for (const store of [undefined, noopCheckpointStore()]) {
    const board = createBoard();
    board.setVar("from", "passed");
    const { engine, runs, froms } = observed();
    expect(await loadAndResume(engine, options({ store, board }))).toBe(board);
    expect([runs[0]?.resumeFrom, froms]).toEqual([undefined, ["passed"]]);
  }
});

test("the empty store saves without error and never returns a checkpoint [engine-noop-store-1]", async () => {
  const store = noopCheckpointStore();
  await store.save(checkpointOf());
  expect(await store.load("run-1")).toBeUndefined();
});

test("if fresh starts are forbidden, a missing checkpoint is not found [engine-load-and-resume-4] [engine-load-and-resume-5]", async () => {
  for (const store of [undefined, noopCheckpointStore()]) {
    const { engine, runs } = observed();
    const error = await failureOf(loadAndResume(engine, options({ store, freshStartAllowed: false })));
    expect([error.code, error.class, runs.length]).toEqual(["checkpoint.not_found", "not_found", 0]);
  }
});

test("an error of the store is passed on and never causes a fresh start [engine-load-and-resume-6]", async () => {
  const corrupt = new EngineError("checkpoint.corrupt", { path: "a", problem: "cut off" });
  const disk = new Error("input/output error");
  for (const [thrown, code] of [
    [corrupt, "checkpoint.corrupt"],
    [disk, "checkpoint.load_failed"],
  ] as const) {
    const { engine, runs } = observed();
    const store = { load: () => Promise.reject(thrown) };
    const error = await failureOf(loadAndResume(engine, options({ store })));
    expect([error.code, runs.length]).toEqual([code, 0]);
    expect(error === thrown || error.cause === thrown).toBe(true);
  }
});

test("a run without an id, and no engine at all, are refused [engine-load-and-resume-7]", async () => {
  const { engine } = observed();
  const error = await failureOf(loadAndResume(engine, options({ run: { ...options().run, id: "" } })));
  expect([error.code, error.class]).toEqual(["run.invalid_id", "validation"]);
  const nothing: unknown = undefined;
  const isEngine = (value: unknown): value is Engine => value === undefined;
  if (isEngine(nothing)) expect((await failureOf(loadAndResume(nothing, options()))).code).toBe("config.invalid");
});

test("a checkpoint of another execution is refused before anything runs [engine-load-and-resume-8]", async () => {
  for (const execId of ["other", ""]) {
    const checks: Checkpoint[] = [];
    const { engine, runs } = observed((checkpoint) => void checks.push(checkpoint));
    const { store } = storeOf(checkpointOf({ execId }));
    const error = await failureOf(loadAndResume(engine, options({ store })));
    expect([error.code, error.class, runs.length, checks.length]).toEqual(["checkpoint.foreign", "validation", 0, 0]);
  }
});

describe("the engine's resume check", () => {
  test("runs before execute, and its refusal reaches the caller with its cause [engine-load-and-resume-2] [engine-resumer-1]", async () => {
    const cause = new Error("the node is gone");
    const drifted = new EngineError("checkpoint.drifted", { found: "1", expected: "2" }, { cause });
    for (const [thrown, code] of [
      [drifted, "checkpoint.drifted"],
      [cause, "checkpoint.refused"],
    ] as const) {
      const { engine, runs } = observed(() => {
        throw thrown;
      });
      const error = await failureOf(loadAndResume(engine, options({ store: storeOf(checkpointOf()).store })));
      expect([error.code, runs.length]).toEqual([code, 0]);
      expect(error.cause).toBe(cause);
      expect(["validation", "not_available"]).toContain(findEngineError(error)?.class);
    }
  });

  test("receives only the checkpoint, and no services [engine-resumer-2]", async () => {
    const given: unknown[][] = [];
    const { engine } = observed();
    const checkpoint = checkpointOf();
    const checked: Engine = { ...engine, canResume: (...all: unknown[]) => void given.push(all) };
    await loadAndResume(checked, options({ store: storeOf(checkpoint).store }));
    expect(given[0]).toEqual([checkpoint]);
  });

  test("is found through wrappers [engine-resumer-3]", async () => {
    const { engine, runs } = observed(() => {
      throw new EngineError("checkpoint.drifted");
    });
    const wrapped = withCapabilities(withCapabilities(engine, {}), { supportsResume: true });
    const error = await failureOf(loadAndResume(wrapped, options({ store: storeOf(checkpointOf()).store })));
    expect([error.code, runs.length]).toEqual(["checkpoint.drifted", 0]);
  });

  test("is optional: an engine without one refuses by itself [engine-resumer-4]", async () => {
    const error = await failureOf(loadAndResume(defineEngine(), options({ store: storeOf(checkpointOf()).store })));
    expect([error.code, error.class]).toEqual(["checkpoint.unsupported", "not_available"]);
  });
});

test("a fresh run has attempt 1, the time it began and no checkpoint time [engine-resume-context-2] [engine-load-and-resume-10] [engine-load-and-resume-11]", async () => {
  expect(await contextOf({})).toEqual({ attempt: 1, startedAt: NOW, signal: "manual" });
  expect(await contextOf({ startedAt: MADE_AT, attempt: 3 })).toEqual({
    attempt: 3,
    startedAt: MADE_AT,
    signal: "manual",
  });
});

test("a resumed attempt counts at least 2 and knows when its checkpoint was made [engine-resume-context-1] [engine-load-and-resume-9] [engine-load-and-resume-12]", async () => {
  const resumed = { startedAt: MADE_AT, signal: "manual", checkpointAt: MADE_AT };
  for (const [attempt, expected] of [
    [undefined, 2],
    [1, 2],
    [2, 2],
    [7, 7],
  ] as const) {
    expect(await contextOf({ attempt }, checkpointOf())).toEqual({ ...resumed, attempt: expected });
  }
});

test("the start in the checkpoint applies, or the checkpoint's own time if it has none; an invalid time is ignored [engine-load-and-resume-11] [engine-checkpoint-5] [engine-checkpoint-10]", async () => {
  const first = "2026-02-01T00:00:00.000Z";
  const startOf = async (startedAt: string | undefined, originalStartedAt?: string): Promise<string | undefined> =>
    (await contextOf({ startedAt }, checkpointOf({ originalStartedAt })))?.startedAt;
  expect(await startOf("2026-01-01T00:00:00.000Z", first)).toBe(first);
  expect(await startOf(first)).toBe(first);
  for (const none of ["", "0001-01-01T00:00:00Z"]) {
    expect([await startOf(none), await startOf(first, none)]).toEqual([MADE_AT, first]);
    expect((await contextOf({ startedAt: none }, checkpointOf({ timestamp: none })))?.startedAt).toBe(NOW);
  }
});

test("signals are passed on as they are; an empty one and an attempt below 1 are ignored [engine-resume-context-3] [engine-load-and-resume-10]", async () => {
  for (const signal of ["manual", "interrupt-recovery", "schedule", "crash", "retry", "my own"]) {
    expect((await contextOf({ signal }, checkpointOf()))?.signal).toBe(signal);
  }
  for (const attempt of [0, -3]) {
    expect(await contextOf({ signal: "", attempt })).toEqual({ attempt: 1, startedAt: NOW, signal: "manual" });
  }
});

test("it makes one attempt, whatever happens [engine-load-and-resume-13]", async () => {
  let executions = 0;
  const engine = defineEngine(
    () => {
      executions += 1;
      return Promise.reject(new EngineError("llm.request_timeout"));
    },
    { supportsResume: true },
  );
  const error = await failureOf(loadAndResume(engine, options({ store: storeOf(checkpointOf()).store })));
  expect([error.code, executions]).toEqual(["llm.request_timeout", 1]);
});
