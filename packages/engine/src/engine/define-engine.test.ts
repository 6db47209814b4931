import { type Checkpoint, EngineError, type EngineError as Failure, type Host, type Run } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import {
  capabilitiesOf,
  createBoard,
  createDependencies,
  createEnvelope,
  createInterruptLatch,
  defineEngine,
  emitStreamToken,
  hostFuncs,
  interruptedError,
  interruptOf,
  noopHost,
} from "../index.ts";

function runWith(overrides: Partial<Run> = {}): Run {
  return {
    id: "run-1",
    attributes: {},
    deps: createDependencies(),
    signal: new AbortController().signal,
    ...overrides,
  };
}

function checkpointOf(execId: string): Checkpoint {
  const board = createBoard();
  board.setVar("from", "checkpoint");
  return { execId, board: board.snapshot(), timestamp: "2026-01-01T00:00:00.000Z" };
}

async function failureOf(execution: Promise<unknown>): Promise<Failure> {
  try {
    await execution;
  } catch (error) {
    if (EngineError.is(error)) return error;
    throw new Error("the failure is not classified", { cause: error });
  }
  throw new Error("nothing failed");
}

test("a completed execution gives back the board it was given, changed [engine-engine-2] [engine-engine-func-1]", async () => {
  const board = createBoard();
  const engine = defineEngine(async (_run, _host, given) => given.setVar("a", 1));
  expect(await engine.execute(runWith(), noopHost(), board)).toBe(board);
  expect(board.getVar("a")).toBe(1);
});

test("an engine without a body gives the board back unchanged [engine-engine-func-2]", async () => {
  const board = createBoard();
  expect(await defineEngine().execute(runWith(), noopHost(), board)).toBe(board);
  expect(board.vars()).toEqual({});
});

describe("run start and run end are published exactly once [engine-engine-10] [engine-engine-11] [engine-engine-12]", () => {
  const bodies: Readonly<Record<string, { body: () => Promise<void>; outcome: string }>> = {
    completed: { body: async () => {}, outcome: "completed" },
    failed: { body: () => Promise.reject(new Error("broken")), outcome: "failed" },
    "thrown before the first await": {
      body: () => {
        throw new Error("broken");
      },
      outcome: "failed",
    },
    interrupted: { body: () => Promise.reject(interruptedError({ cause: "user_cancel" })), outcome: "interrupted" },
    "out of budget": { body: () => Promise.reject(new EngineError("budget.exceeded")), outcome: "failed" },
    "timed out inside": { body: () => Promise.reject(new EngineError("llm.request_timeout")), outcome: "failed" },
  };
  for (const [name, { body, outcome }] of Object.entries(bodies)) {
    test(name, async () => {
      const host = recordingHost();
      await defineEngine(body)
        .execute(runWith(), host, createBoard())
        .catch(() => {});
      expect(host.types()).toEqual(["run_start", "run_end"]);
      expect(host.ofType("run_end")[0]?.payload.outcome).toBe(outcome);
      expect(host.envelopes.map((envelope) => envelope.subject)).toEqual([
        "engine.run.run-1.start",
        "engine.run.run-1.end",
      ]);
    });
  }

  test("refused", async () => {
    const host = recordingHost();
    const run = runWith({ resumeFrom: checkpointOf("other") });
    await defineEngine()
      .execute(run, host, createBoard())
      .catch(() => {});
    expect(host.types()).toEqual(["run_start", "run_end"]);
    expect(host.ofType("run_start")[0]?.payload).toEqual({ resumed: true });
    expect(host.ofType("run_end")[0]?.payload.error?.code).toBe("checkpoint.foreign");
  });
});

test("events contain run, agent, attempt and time", async () => {
  const host = recordingHost();
  const engine = defineEngine(undefined, { now: () => 0, createId: () => "id" });
  const resume = { attempt: 3, startedAt: "", signal: "crash" };
  await engine.execute(runWith({ attributes: { "agent.id": "coder" }, resume }), host, createBoard());
  expect(host.envelopes[0]).toEqual({
    id: "id",
    type: "run_start",
    subject: "engine.run.run-1.start",
    time: "1970-01-01T00:00:00.000Z",
    attempt: 3,
    headers: { run_id: "run-1", agent_id: "coder" },
    payload: { resumed: false },
  });
});

test("publishing that fails does not fail the run [engine-publisher-1]", async () => {
  const board = createBoard();
  const host = recordingHost({ publishFailure: new Error("no space") });
  expect(await defineEngine().execute(runWith(), host, board)).toBe(board);
  const throwing: Host = hostFuncs(noopHost(), {
    publish: () => {
      throw new Error("synchronous");
    },
  });
  expect(await defineEngine().execute(runWith(), throwing, board)).toBe(board);
  // Nor do publications of the body, directly or through the helpers.
  const marks = { runId: "run-1", attempt: 1, now: () => 0, createId: () => "1" };
  const telling = defineEngine(async (_, hostOfBody, hers) => {
    await hostOfBody.publish(createEnvelope("notification", { message: "one" }, marks));
    await emitStreamToken(hostOfBody, "two", marks);
    hers.setVar("told", true);
  });
  for (const failing of [host, throwing]) {
    const told = await telling.execute(runWith(), failing, createBoard());
    expect(told.getVar("told")).toBe(true);
  }
});

describe("resume checks", () => {
  test("another run's checkpoint is refused first, also by engines that cannot resume [engine-run-resume-from-1] [engine-run-resume-from-4]", async () => {
    for (const supportsResume of [true, false]) {
      const engine = defineEngine(undefined, { supportsResume });
      const failure = await failureOf(
        engine.execute(runWith({ resumeFrom: checkpointOf("other") }), noopHost(), createBoard()),
      );
      expect([failure.code, failure.class]).toEqual(["checkpoint.foreign", "validation"]);
    }
  });

  test("an engine that cannot resume refuses and does not start afresh [engine-run-resume-from-2]", async () => {
    let began = false;
    const engine = defineEngine(async () => {
      began = true;
    });
    const failure = await failureOf(
      engine.execute(runWith({ resumeFrom: checkpointOf("run-1") }), noopHost(), createBoard()),
    );
    expect([failure.code, failure.class, began]).toEqual(["checkpoint.unsupported", "not_available", false]);
  });

  test("the engine's own check comes next, and its refusal is passed on [engine-resumer-1]", async () => {
    const refusal = new EngineError("checkpoint.drifted", { found: "1", expected: "2" });
    const engine = defineEngine(undefined, {
      supportsResume: true,
      canResume: () => {
        throw refusal;
      },
    });
    expect(
      await failureOf(engine.execute(runWith({ resumeFrom: checkpointOf("run-1") }), noopHost(), createBoard())),
    ).toBe(refusal);
  });

  test("the checkpoint's board takes precedence and the given board keeps its identity [engine-run-resume-from-3] [engine-run-resume-from-6]", async () => {
    const board = createBoard();
    board.setVar("from", "caller");
    board.setVar("more", 1);
    const engine = defineEngine(
      async (_run, _host, given) => {
        expect(given.vars()).toEqual({ from: "checkpoint" });
      },
      { supportsResume: true },
    );
    expect(await engine.execute(runWith({ resumeFrom: checkpointOf("run-1") }), noopHost(), board)).toBe(board);
  });
});

describe("the cause of a stop is reported", () => {
  test("an interrupt has its cause, and the board contains the progress [engine-engine-3] [engine-engine-6]", async () => {
    const board = createBoard();
    const host = recordingHost();
    const engine = defineEngine(async (_run, given) => {
      board.setVar("done", 1);
      const interrupt = given.interrupts()?.tryReceive();
      if (interrupt !== undefined) throw new Error("wrapped", { cause: interruptedError(interrupt) });
    });
    const latch = createInterruptLatch();
    let asked = 0;
    const late = hostFuncs(host, {
      interrupts: () => {
        asked += 1;
        if (asked === 2) latch.interrupt({ cause: "host_shutdown", detail: "deploy" });
        return latch.source;
      },
    });
    const failure = await failureOf(engine.execute(runWith(), late, board));
    expect(failure.class).toBe("interrupted");
    expect(interruptOf(failure)).toEqual({ cause: "host_shutdown", detail: "deploy" });
    expect(board.getVar("done")).toBe(1);
  });

  test("an aborted step of an interrupted run is the interrupt [engine-engine-3]", async () => {
    const host = recordingHost();
    const engine = defineEngine(async () => {
      host.interrupt({ cause: "user_input" });
      throw new DOMException("stopped", "AbortError");
    });
    expect(interruptOf(await failureOf(engine.execute(runWith(), host, createBoard())))).toEqual({
      cause: "user_input",
    });
  });

  test("a run that is to stop already does not begin [engine-engine-1]", async () => {
    let began = false;
    const engine = defineEngine(async () => {
      began = true;
    });
    const interrupted = await failureOf(
      engine.execute(runWith(), recordingHost({ interrupt: { cause: "user_cancel" } }), createBoard()),
    );
    const cancelled = await failureOf(
      engine.execute(runWith({ signal: AbortSignal.abort() }), noopHost(), createBoard()),
    );
    expect([interrupted.code, cancelled.code, began]).toEqual(["run.interrupted", "run.cancelled", false]);
  });

  test("a fired signal gives its reason, classified [engine-engine-4] [engine-errors-5]", async () => {
    const table: [reason: unknown, code: string, errorClass: string][] = [
      [undefined, "run.cancelled", "aborted"],
      ["any text", "run.cancelled", "aborted"],
      [new DOMException("late", "TimeoutError"), "run.timed_out", "timeout"],
      [new EngineError("run.timed_out", { timeoutMs: 5 }), "run.timed_out", "timeout"],
      [new Error("wrapped", { cause: new EngineError("store.stale_epoch") }), "store.stale_epoch", "conflict"],
    ];
    for (const [reason, code, errorClass] of table) {
      const controller = new AbortController();
      const host = recordingHost();
      const engine = defineEngine(async (run) => {
        controller.abort(reason);
        run.signal.throwIfAborted();
      });
      const failure = await failureOf(engine.execute(runWith({ signal: controller.signal }), host, createBoard()));
      expect([failure.code, failure.class]).toEqual([code, errorClass]);
      if (errorClass !== "conflict") expect(host.ofType("run_end")[0]?.payload.outcome).toBe("cancelled");
    }
  });

  test("a failure caused by the cancellation is a cancellation", async () => {
    const controller = new AbortController();
    const engine = defineEngine(async () => {
      controller.abort();
      throw new EngineError("llm.request_timeout");
    });
    const failure = await failureOf(engine.execute(runWith({ signal: controller.signal }), noopHost(), createBoard()));
    expect([failure.code, EngineError.is(failure.cause, "llm.request_timeout")]).toEqual(["run.cancelled", true]);
  });

  test("an exhausted budget is reported as such, also if the run is then cancelled [engine-usage-reporter-2]", async () => {
    const error = new EngineError("budget.exceeded", { budget: "tokens", used: 2, limit: 1 });
    const controller = new AbortController();
    const engine = defineEngine(async () => {
      controller.abort();
      throw new Error("wrapped", { cause: error });
    });
    expect(await failureOf(engine.execute(runWith({ signal: controller.signal }), noopHost(), createBoard()))).toBe(
      error,
    );
  });

  test("any other failure is classified and has its cause [engine-engine-5]", async () => {
    const cause = new TypeError("broken");
    const engine = defineEngine(() => Promise.reject(cause), { name: "mine" });
    const failure = await failureOf(engine.execute(runWith(), noopHost(), createBoard()));
    expect([failure.code, failure.cause]).toEqual(["engine.failed", cause]);
    const text: unknown = "just a text";
    const odd = defineEngine(() => Promise.reject(text));
    expect((await failureOf(odd.execute(runWith(), noopHost(), createBoard()))).code).toBe("engine.failed");
  });
});

test("the run is read-only for the engine, and the host's own is not touched [engine-engine-8] [engine-run-7]", async () => {
  const run = runWith({ attributes: { a: "1" } });
  const engine = defineEngine(async (given) => {
    expect([Object.isFrozen(given), Object.isFrozen(given.attributes)]).toEqual([true, true]);
    expect(given.id).toBe(run.id);
  });
  await engine.execute(run, noopHost(), createBoard());
  expect(Object.isFrozen(run.attributes)).toBe(false);
});

test("an engine declares only the capabilities of its definition [engine-capabilities-1] [engine-capabilities-2]", () => {
  expect(capabilitiesOf(defineEngine())).toEqual({});
  expect(capabilitiesOf({ execute: async (_run, _host, board) => board })).toEqual({});
  const claimed = { supportsResume: true, emitsCheckpoint: true, requiredDependencies: ["llm.client"] };
  let suggested = 0;
  const engine = defineEngine(undefined, {
    ...claimed,
    canResume: () => {},
    suggestCheckpoint: () => void suggested++,
  });
  expect(capabilitiesOf(engine)).toEqual(claimed);
  engine.suggestCheckpoint?.();
  expect([suggested, typeof engine.canResume]).toEqual([1, "function"]);
  expect([defineEngine().canResume, defineEngine().suggestCheckpoint]).toEqual([undefined, undefined]);
});
