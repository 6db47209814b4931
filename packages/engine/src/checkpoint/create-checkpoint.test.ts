import { type Checkpoint, EngineError, type Run } from "@switchyard/contracts";
import { recordingHost } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { createBoard, createCheckpoint, createDependencies, defineEngine, loadAndResume, noopHost } from "../index.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");

function runWith(overrides: Partial<Run> = {}): Run {
  const signal = new AbortController().signal;
  return { id: "run-1", attributes: { "tenant.id": "t" }, deps: createDependencies(), signal, ...overrides };
}

test("a checkpoint names its run, copies its attributes and contains the board of that moment [engine-checkpoint-1] [engine-checkpoint-2] [engine-checkpoint-6]", () => {
  const board = createBoard();
  board.setVar("a", 1);
  const attributes: Record<string, string> = { "tenant.id": "t" };
  const checkpoint = createCheckpoint(runWith({ attributes }), board, { now: () => START });
  board.setVar("a", 2);
  attributes["tenant.id"] = "other";
  expect([checkpoint.execId, checkpoint.attributes, checkpoint.board.vars]).toEqual([
    "run-1",
    { "tenant.id": "t" },
    { a: 1 },
  ]);
});

test("it contains the engine's own description of the run's position [engine-checkpoint-3] [engine-run-resume-from-5]", async () => {
  const said = { step: "node-7", iteration: 3, payload: { pending: ["x"] }, specVersion: "v2" };
  const checkpoint = createCheckpoint(runWith(), createBoard(), said);
  expect(checkpoint).toMatchObject(said);
  const found: (Checkpoint | undefined)[] = [];
  const engine = defineEngine(async (run) => void found.push(run.resumeFrom), { supportsResume: true });
  await loadAndResume(engine, { run: runWith(), host: noopHost(), store: { load: async () => checkpoint } });
  expect(found).toEqual([checkpoint]);
});

test("it has the time of its making and the start of the first attempt, however often the run is resumed [engine-checkpoint-4] [engine-checkpoint-5]", async () => {
  let time = START;
  const now = (): number => time;
  let kept: Checkpoint | undefined;
  const store = { load: async () => kept, save: async () => {} };
  const engine = defineEngine(
    async (run, host, board) => {
      time += 1000;
      await host.checkpoint(createCheckpoint(run, board, { now }));
    },
    { supportsResume: true, emitsCheckpoint: true },
  );
  const host = {
    ...noopHost(),
    checkpoint: async (checkpoint: Checkpoint) => {
      kept = checkpoint;
    },
  };
  for (const second of [1, 2, 3]) {
    await loadAndResume(engine, { run: runWith(), host, store, now });
    expect([kept?.timestamp, kept?.originalStartedAt]).toEqual([
      new Date(START + second * 1000).toISOString(),
      new Date(START).toISOString(),
    ]);
  }
  expect(
    createCheckpoint(runWith(), createBoard(), { now, startedAt: "2025-01-01T00:00:00.000Z" }).originalStartedAt,
  ).toBe("2025-01-01T00:00:00.000Z");
  // A zero time in another program's checkpoint means that there is no time.
  const startedAt = "2025-01-01T00:00:00.000Z";
  const foreign = { ...createCheckpoint(runWith(), createBoard(), { now }), originalStartedAt: "0001-01-01T00:00:00Z" };
  const resumed = runWith({ resumeFrom: foreign, resume: { attempt: 2, signal: "crash", startedAt } });
  expect(createCheckpoint(resumed, createBoard(), { now }).originalStartedAt).toBe(startedAt);
});

async function codeAfterResume(found: string | undefined, expected: string | undefined): Promise<string> {
  const checkpoint = createCheckpoint(runWith(), createBoard(), { specVersion: found });
  const engine = defineEngine(undefined, { supportsResume: true, specVersion: expected });
  return engine.execute(runWith({ resumeFrom: checkpoint }), recordingHost(), createBoard()).then(
    () => "resumed",
    (error: unknown) => (EngineError.is(error) ? `${error.code}, ${error.class}` : String(error)),
  );
}

test("a checkpoint of another version of the engine is refused, one without a version is not [engine-checkpoint-7] [engine-checkpoint-8]", async () => {
  expect(await codeAfterResume("v1", "v2")).toBe("checkpoint.drifted, not_available");
  expect(await codeAfterResume("v2", "v2")).toBe("resumed");
  for (const none of [undefined, ""]) {
    expect([await codeAfterResume(none, "v2"), await codeAfterResume("v1", none)]).toEqual(["resumed", "resumed"]);
  }
});
