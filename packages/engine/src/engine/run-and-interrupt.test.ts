import {
  ATTRIBUTE,
  type Cause,
  EngineError,
  type Interrupt,
  type Run,
  textMessage,
  type UserPrompt,
  type UserReply,
} from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  assertRunning,
  attributeOf,
  capabilitiesOf,
  createBoard,
  createCheckpoint,
  createDependencies,
  createInterruptLatch,
  defineEngine,
  hostFuncs,
  interruptOf,
  loadAndResume,
  noopHost,
} from "../index.ts";

function runWith(overrides: Partial<Run> = {}): Run {
  const signal = new AbortController().signal;
  return { id: "run-1", attributes: {}, deps: createDependencies(), signal, ...overrides };
}

async function failureOf(execution: Promise<unknown>): Promise<unknown> {
  return execution.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a run", () => {
  test("keeps the id that the host created over any number of resumes [engine-run-1]", async () => {
    const seen: string[] = [];
    const engine = defineEngine(async (run) => void seen.push(run.id), { supportsResume: true });
    const checkpoint = createCheckpoint(runWith({ id: "host-made" }), createBoard());
    for (const kept of [undefined, checkpoint, checkpoint]) {
      await loadAndResume(engine, {
        run: runWith({ id: "host-made" }),
        host: noopHost(),
        store: { load: async () => kept },
      });
    }
    expect(seen).toEqual(["host-made", "host-made", "host-made"]);
  });

  test("names the run that dispatched it in a separate field [engine-run-3]", async () => {
    const parents: (string | undefined)[] = [];
    const engine = defineEngine(async (run) => void parents.push(run.parentRunId));
    await engine.execute(runWith({ parentRunId: "parent" }), noopHost(), createBoard());
    await engine.execute(runWith(), noopHost(), createBoard());
    expect(parents).toEqual(["parent", undefined]);
  });

  test("has attributes under their conventional names, which mark its events [engine-run-4]", async () => {
    expect([ATTRIBUTE.agentId, ATTRIBUTE.tenantId, ATTRIBUTE.parentRunId, ATTRIBUTE.costMicros]).toEqual([
      "agent.id",
      "tenant.id",
      "parent.run.id",
      "llm.cost.micros",
    ]);
    const host = recordingHost();
    const attributes = { [ATTRIBUTE.agentId]: "coder" };
    await defineEngine().execute(runWith({ attributes }), host, createBoard());
    expect(host.envelopes.map(({ headers }) => headers["agent_id"])).toEqual(["coder", "coder"]);
    expectTypeOf<Run["attributes"]>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });

  test("gives an empty text for an attribute that it does not have [engine-run-5]", () => {
    const run = runWith({ attributes: { "tenant.id": "t" } });
    expect([attributeOf(run, "tenant.id"), attributeOf(run, "agent.id"), attributeOf(run, "toString")]).toEqual([
      "t",
      "",
      "",
    ]);
    const bare: object = {};
    const isRun = (value: object): value is Run => !("id" in value);
    expect([attributeOf(undefined, "a"), isRun(bare) ? attributeOf(bare, "a") : "no run"]).toEqual(["", ""]);
  });

  test("has a checkpoint that engines cannot change, and sources that engines cannot close [engine-engine-9] [engine-engine-7]", async () => {
    const board = createBoard();
    board.setVar("list", [1]);
    const checkpoint = createCheckpoint(runWith(), board, { payload: { at: [1] } });
    const before = structuredClone({ ...checkpoint, board: { vars: checkpoint.board.vars } });
    const latch = createInterruptLatch();
    const host = hostFuncs(noopHost(), { interrupts: () => latch.source });
    const engine = defineEngine(
      async (_run, _host, given) => {
        given.appendSliceVar("list", 2);
        given.setVar("new", true);
      },
      { supportsResume: true },
    );
    await engine.execute(runWith({ resumeFrom: checkpoint }), host, createBoard());
    expect(structuredClone({ ...checkpoint, board: { vars: checkpoint.board.vars } })).toEqual(before);
    expect(latch.interrupt({ cause: "user_cancel" })).toBe(true);
    expect(latch.source.tryReceive()).toEqual({ cause: "user_cancel" });
  });
});

describe("an interrupt", () => {
  const CAUSES: readonly Cause[] = ["", "user_cancel", "user_input", "host_shutdown", "custom"];

  async function stoppedBy(interrupt: Interrupt): Promise<{ steps: unknown; error: unknown }> {
    const latch = createInterruptLatch();
    const host = hostFuncs(noopHost(), { interrupts: () => latch.source });
    const board = createBoard();
    const engine = defineEngine(async (run, given, held) => {
      for (let step = 1; step <= 5; step += 1) {
        assertRunning(run, given);
        held.appendSliceVar("steps", step);
        if (step === 2) latch.interrupt(interrupt);
      }
    });
    const error = await failureOf(engine.execute(runWith(), host, board));
    return { steps: board.getVar("steps"), error };
  }

  test("stops an engine between two steps, in the same way for every cause [engine-interrupter-2] [engine-interrupt-2] [engine-interrupt-3]", async () => {
    expectTypeOf<Cause>().toEqualTypeOf<"" | "user_cancel" | "user_input" | "host_shutdown" | "custom">();
    for (const cause of CAUSES) {
      const { steps, error } = await stoppedBy({ cause, detail: "why" });
      expect(steps).toEqual([1, 2]);
      expect(EngineError.is(error) && [error.code, error.class]).toEqual(["run.interrupted", "interrupted"]);
      expect(interruptOf(error)).toEqual({ cause, detail: "why" });
    }
  });

  test("contains a cause and a detail [engine-interrupt-1]", async () => {
    expect(interruptOf((await stoppedBy({ cause: "custom", detail: "quota" })).error)).toEqual({
      cause: "custom",
      detail: "quota",
    });
    expect(interruptOf((await stoppedBy({ cause: "user_input" })).error)).toEqual({ cause: "user_input" });
  });

  test("never arrives if the host has no source of interrupts [engine-interrupter-1]", async () => {
    const board = createBoard();
    const engine = defineEngine(async (run, host, held) => {
      for (let step = 1; step <= 3; step += 1) {
        assertRunning(run, host);
        held.appendSliceVar("steps", step);
      }
    });
    await engine.execute(runWith(), noopHost(), board);
    expect(board.getVar("steps")).toEqual([1, 2, 3]);
  });
});

test("a question carries parts, schema, source and metadata, an answer parts and metadata, and neither a chat role [engine-user-prompt-1] [engine-user-prompt-2] [engine-user-reply-1]", async () => {
  expectTypeOf<keyof UserPrompt>().toEqualTypeOf<"id" | "parts" | "schema" | "source" | "metadata">();
  expectTypeOf<keyof UserReply>().toEqualTypeOf<"parts" | "metadata">();
  const prompt: UserPrompt = {
    parts: textMessage("user", "Which?").parts,
    schema: { type: "string" },
    source: "coder.node.ask",
    metadata: { channel: "voice" },
  };
  const reply: UserReply = { parts: textMessage("user", "this").parts, metadata: { by: "me" } };
  const asked: UserPrompt[] = [];
  const host = recordingHost({
    askUser: (given) => {
      asked.push(given);
      return reply;
    },
  });
  const answers: UserReply[] = [];
  const engine = defineEngine(async (_run, given) => void answers.push(await given.askUser(prompt)));
  await engine.execute(runWith(), host, createBoard());
  expect([asked, answers]).toEqual([[prompt], [reply]]);
});

describe("a usage report", () => {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

  async function outcomeOf(failure: unknown): Promise<unknown[]> {
    const host = hostFuncs(noopHost(), { reportUsage: () => Promise.reject(failure) });
    const board = createBoard();
    const engine = defineEngine(async (_run, given, held) => {
      await given.reportUsage(usage);
      held.setVar("went on", true);
    });
    const error = await failureOf(engine.execute(runWith(), host, board));
    return [EngineError.is(error) ? error.code : error, board.hasVar("went on")];
  }

  test("that fails for any reason but a budget does not reach the engine [engine-usage-reporter-3]", async () => {
    expect(await outcomeOf(new Error("exporter is slow"))).toEqual([undefined, true]);
    expect(await outcomeOf(new EngineError("bus.closed"))).toEqual([undefined, true]);
    const exceeded = new EngineError("budget.exceeded");
    expect(await outcomeOf(exceeded)).toEqual(["budget.exceeded", false]);
    expect(await outcomeOf(new Error("wrapped", { cause: exceeded }))).toEqual(["budget.exceeded", false]);
  });
});

test("an engine claims to resume exactly when it does [engine-capabilities-3] [engine-capabilities-7]", async () => {
  for (const supportsResume of [true, false, undefined]) {
    const engine = defineEngine(undefined, { supportsResume });
    const resumeFrom = createCheckpoint(runWith(), createBoard());
    const error = await failureOf(engine.execute(runWith({ resumeFrom }), noopHost(), createBoard()));
    const resumed = error === undefined;
    expect(capabilitiesOf(engine).supportsResume === true).toBe(resumed);
    expect(resumed || EngineError.is(error, "checkpoint.unsupported")).toBe(true);
  }
});

test("an engine ends the same with and without stored checkpoints, and needs no bus [engine-checkpointer-2] [engine-overview-2]", async () => {
  const engine = defineEngine(
    async (run, host, board) => {
      for (let step = 1; step <= 3; step += 1) {
        board.appendSliceVar("steps", step);
        await host.checkpoint(createCheckpoint(run, board));
      }
    },
    { emitsCheckpoint: true },
  );
  const keeping = recordingHost();
  const boards = [createBoard(), createBoard()];
  const [kept = createBoard(), dropped = createBoard()] = boards;
  await engine.execute(runWith(), keeping, kept);
  await engine.execute(runWith(), noopHost(), dropped);
  expect(keeping.checkpoints).toHaveLength(3);
  expect(dropped.vars()).toEqual(kept.vars());
});
