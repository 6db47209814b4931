import type { Checkpoint, Engine } from "@switchyard/contracts";
import { expect, test } from "vitest";
import {
  asResumer,
  capabilitiesOf,
  createBoard,
  createDependencies,
  defineEngine,
  isResumable,
  noopHost,
  suggestCheckpoint,
  withCapabilities,
} from "../index.ts";

const run = { id: "r", attributes: {}, deps: createDependencies(), signal: new AbortController().signal };

test("capabilities can be added to an engine without capabilities, and calls are forwarded [engine-capabilities-4]", async () => {
  const bare: Engine = {
    async execute(given, _host, board) {
      board.setVar("ran", given.id);
      return board;
    },
  };
  const wrapped = withCapabilities(bare, { emitsCheckpoint: true, requiredDependencies: ["llm.client"] });
  const board = createBoard();
  expect(capabilitiesOf(bare)).toEqual({});
  expect(capabilitiesOf(wrapped)).toEqual({ emitsCheckpoint: true, requiredDependencies: ["llm.client"] });
  expect(await wrapped.execute(run, noopHost(), board)).toBe(board);
  expect(board.getVar("ran")).toBe("r");
  expect(withCapabilities(undefined, {})).toBeUndefined();
});

test("the outermost wrapper determines the declared capabilities [engine-capabilities-6]", () => {
  const engine = defineEngine(undefined, { supportsResume: true, emitsUserPrompt: true });
  const wrapped = withCapabilities(withCapabilities(engine, { emitsCheckpoint: true }), { acceptsSteering: true });
  expect(capabilitiesOf(wrapped)).toEqual({ acceptsSteering: true });
});

test("a wrapped engine keeps its resume check and its suggestions [engine-capabilities-5] [engine-resumer-3] [engine-checkpoint-suggester-5]", () => {
  const checked: Checkpoint[] = [];
  let suggestions = 0;
  const engine = defineEngine(undefined, {
    canResume: (checkpoint) => void checked.push(checkpoint),
    suggestCheckpoint: () => {
      suggestions += 1;
    },
  });
  const wrapped = withCapabilities(withCapabilities(engine, {}), {});
  const checkpoint = { execId: "r", board: createBoard().snapshot(), timestamp: "" };
  asResumer(wrapped)?.canResume(checkpoint);
  suggestCheckpoint(wrapped);
  expect([checked, suggestions, isResumable(wrapped)]).toEqual([[checkpoint], 1, true]);
});

test("the check of a wrapper runs before that of the inner engine", () => {
  const seen: string[] = [];
  const inner = defineEngine(undefined, { canResume: () => void seen.push("inner") });
  const outer: Engine = { ...withCapabilities(inner, {}), canResume: () => void seen.push("outer") };
  asResumer(withCapabilities(outer, {}))?.canResume({ execId: "r", board: { vars: {} }, timestamp: "" });
  expect(seen).toEqual(["outer"]);
});

test("a check or a suggestion is called on the engine it belongs to", () => {
  class Stateful implements Engine {
    suggested = 0;
    execute: Engine["execute"] = async (_run, _host, board) => board;
    suggestCheckpoint(): void {
      this.suggested += 1;
    }
  }
  const engine = new Stateful();
  suggestCheckpoint(withCapabilities(engine, {}));
  expect(engine.suggested).toBe(1);
});

test("an engine without declared capabilities has no capabilities, and a cycle of wrappers is detected", () => {
  const circle: Engine = { execute: async (_run, _host, board) => board, unwrap: () => circle };
  for (const engine of [defineEngine(), withCapabilities(defineEngine(), {}), circle]) {
    expect([asResumer(engine), isResumable(engine)]).toEqual([undefined, false]);
  }
});

test("suggesting a checkpoint to an engine that does not support it does nothing [engine-checkpoint-suggester-3]", () => {
  expect(() => suggestCheckpoint(defineEngine())).not.toThrow();
});

test("a suggestion returns at once, before any checkpoint is taken, and an error of it reaches the caller [engine-checkpoint-suggester-1] [engine-checkpoint-suggester-4]", async () => {
  const order: string[] = [];
  let wanted = false;
  const engine = defineEngine(
    async (given, host, board) => {
      suggestCheckpoint(engine);
      order.push("suggested");
      if (wanted) await host.checkpoint({ execId: given.id, board: board.snapshot(), timestamp: "" });
    },
    {
      suggestCheckpoint: () => {
        wanted = true;
      },
    },
  );
  const host = { ...noopHost(), checkpoint: async () => void order.push("taken") };
  await engine.execute(run, host, createBoard());
  expect(order).toEqual(["suggested", "taken"]);
  const broken = new Error("not now");
  const failing = defineEngine(undefined, {
    suggestCheckpoint: () => {
      throw broken;
    },
  });
  expect(() => suggestCheckpoint(withCapabilities(failing, {}))).toThrow(broken);
});
