import { deepStrictEqual } from "node:assert/strict";
import { type BoardSnapshot, type Checkpoint, EngineError, MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCheckpointEncoder } from "./create-checkpoint-encoder.ts";
import { decodeCheckpoint } from "./decode-checkpoint.ts";
import { decodeValue } from "./decode-value.ts";
import { encodeText, encodeValue } from "./encode-value.ts";
import { LineBytes, withoutLineEnd } from "./line-bytes.ts";
import { openDocument, openLine, sealDocument, sealLine } from "./sealed-text.ts";

const SOURCE = { runId: "run-1", path: "checkpoints/1.jsonl" };

function checkpoint(board: BoardSnapshot, more: Partial<Checkpoint> = {}): Checkpoint {
  return { execId: "run-1", board, timestamp: "2026-01-01T00:00:00.000Z", ...more };
}

function roundTrip(value: unknown): unknown {
  return decodeValue(JSON.parse(encodeText(value, "value")), (problem) => new Error(problem));
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return EngineError.is(error) ? error.code : `no EngineError: ${error}`;
}

const name = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("$type", "$$type", "__proto__", "constructor", "toJSON", "value", "kind", "\ud800", "length"),
);
const leaf = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("\ud800", "\udc00x", "\u2028", ',"check":"1:00000000"}', "\n"),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 12 }),
);
function record(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.array(fc.tuple(name, value), { maxLength: 5 }).map((fields) => Object.fromEntries(fields));
}
const plain = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value"), { maxLength: 5 }), record(tie("value"))),
})).value;

describe("values", () => {
  test("any plain data with dates and bytes comes back as it was [engine-checkpoint-store-1]", () => {
    void fc.assert(
      fc.property(plain, (value) => {
        deepStrictEqual(roundTrip(value), value);
      }),
      { numRuns: 1000 },
    );
  });

  test("a date at the edge of time, minus zero and bytes of a larger buffer come back", () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    const value = { when: new Date(8.64e15), zero: -0, bytes };
    expect(roundTrip(value)).toStrictEqual({ when: new Date(8.64e15), zero: -0, bytes: new Uint8Array([2, 3]) });
  });

  test("a date below many levels is encoded once for each of them", () => {
    let value: unknown = new Date(0);
    for (let level = 0; level < 60; level += 1) value = { before: level, inner: value, list: [level] };
    deepStrictEqual(roundTrip(value), value);
  });

  test("a value that JSON cannot represent is refused with its key", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const value of [() => 1, 1n, Symbol("s"), Number.NaN, new Map(), new Date(Number.NaN), [undefined], cycle]) {
      expect(() => encodeValue({ deep: [value] }, "secret")).toThrow(/The value for secret cannot be stored/);
    }
    expect(encodeValue({ missing: undefined, a: 1 }, "fine")).toEqual({ a: 1 });
  });

  test("a value that this release would never write is refused when it is read", () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    for (const value of [deep, { $type: "map" }, { $type: "date", value: "x" }, { $type: "number", value: 1 }]) {
      expect(() => decodeValue({ value }, (problem) => new Error(problem))).toThrow(/deeper|unknown kind/);
    }
  });
});

describe("seals", () => {
  test("a record comes out of its line and its document, and no changed byte passes [D3]", () => {
    for (const [seal, open] of [
      [sealLine(JSON.stringify({ a: "é", check: 1 })), openLine],
      [withoutLineEnd(new LineBytes().seal('{"a":"é","check":1')), openLine],
      [withoutLineEnd(new LineBytes().seal('{"a":"e"')), openLine],
      [sealDocument({ a: "é", checksum: [] }), openDocument],
    ] as const) {
      const bytes = Buffer.from(seal);
      expect(open(bytes).kind).toBe("whole");
      for (let index = 0; index < bytes.length; index += 1) {
        for (let bit = 0; bit < 8; bit += 1) {
          const flipped = Buffer.from(bytes);
          flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
          expect(open(flipped).kind).not.toBe("whole");
        }
        expect(open(bytes.subarray(0, index)).kind).toBe("damaged");
      }
    }
  });

  test("a newer format is distinguished from damage [D11]", () => {
    expect(openLine('{"a":1,"check":"2:whatever"}')).toEqual({ kind: "newer", format: 2 });
    expect(openLine('{"a":1,"check":"0:00000000"}').kind).toBe("damaged");
  });
});

/** Returns the log lines of a checkpoint, as a reader would read them. */
async function linesOf(saved: Checkpoint): Promise<Buffer[]> {
  return (await createCheckpointEncoder("run-1").encode(saved)).lines.map(withoutLineEnd);
}

/**
 * Saves boards one after another. Resolves with the lines of the log, which starts again with every complete
 * checkpoint.
 */
async function logOf(snapshots: readonly BoardSnapshot[]): Promise<{ lines: Buffer[]; bases: number; bytes: number }> {
  const encoder = createCheckpointEncoder("run-1");
  let [lines, bases, bytes]: [Buffer[], number, number] = [[], 0, 0];
  for (const [index, board] of snapshots.entries()) {
    const encoded = await encoder.encode(checkpoint(board, { iteration: index }));
    encoder.accept(encoded);
    if (encoded.kind === "base") [lines, bases] = [[], bases + 1];
    lines.push(...encoded.lines.map(withoutLineEnd));
    bytes += Buffer.concat(encoded.lines).length;
  }
  return { lines, bases, bytes };
}

describe("checkpoints", () => {
  test("every field comes back, and absent ones stay absent [engine-checkpoint-3] [engine-checkpoint-4]", async () => {
    const full = checkpoint(createBoard().snapshot(), {
      step: "tools",
      iteration: 3,
      files: "4/changes/0123",
      payload: { $type: "mine", when: new Date(0) },
      attributes: { case: "1" },
      originalStartedAt: "2025-12-31T00:00:00.000Z",
      specVersion: "v1",
    });
    for (const saved of [full, checkpoint(createBoard().snapshot()), checkpoint({ vars: { a: 1 } })]) {
      const lines = await linesOf(saved);
      const decoded = (await decodeCheckpoint(lines, SOURCE)).checkpoint;
      expect(decoded).toStrictEqual({ ...saved, board: { ...saved.board } });
    }
  });

  test("names on the wire are in snake_case [engine-checkpoint-9]", async () => {
    const saved = checkpoint(createBoard().snapshot(), { specVersion: "v1", originalStartedAt: "2026" });
    const [line] = await linesOf(saved);
    expect(Object.keys(JSON.parse(String(line)))).toEqual(
      expect.arrayContaining(["exec_id", "spec_version", "original_started_at", "timestamp", "board"]),
    );
  });

  test("snapshots of another origin come back as they were [engine-checkpoint-store-1]", async () => {
    for (const board of [
      { vars: {} },
      { vars: { a: [1] }, channels: {} },
      { vars: {}, channels: { [MAIN_CHANNEL]: [] } },
    ]) {
      const lines = await linesOf(checkpoint(board));
      expect((await decodeCheckpoint(lines, SOURCE)).checkpoint.board).toStrictEqual(board);
    }
  });

  test("any row of boards loads as the newest of them [D2] [engine-checkpoint-store-1]", async () => {
    const change = fc.record({
      name,
      value: plain,
      how: fc.constantFrom("set", "delete", "append", "message", "channel"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 6 }), async (steps) => {
        const board = createBoard();
        const snapshots = steps.map((changes) => {
          for (const { name: key, value, how } of changes) {
            if (how === "set") board.setVar(key, value);
            else if (how === "delete") board.deleteVar(key);
            else if (how === "append" && (!board.hasVar(key) || Array.isArray(board.getVar(key))))
              board.appendSliceVar(key, value);
            else if (how === "message") board.appendChannelMessage(key, textMessage("user", JSON.stringify(value)));
            else if (how === "channel") board.setChannel(key, [textMessage("user", key)]);
          }
          return board.snapshot();
        });
        const { lines } = await logOf(snapshots);
        const decoded = await decodeCheckpoint(lines, SOURCE);
        expect(decoded.number).toBe(steps.length);
        deepStrictEqual({ ...decoded.checkpoint.board }, { ...snapshots.at(-1) });
      }),
      { numRuns: 200 },
    );
  });

  test("a board that is changed after saving is compared with its saved state [engine-checkpoint-store-4]", async () => {
    const board = { vars: { list: [1] } };
    const encoder = createCheckpointEncoder("run-1");
    const first = await encoder.encode(checkpoint(board));
    const lines = first.lines.map(withoutLineEnd);
    encoder.accept(first);
    board.vars.list.push(2);
    const second = await encoder.encode(checkpoint(board));
    const decoded = await decodeCheckpoint([...lines, ...second.lines.map(withoutLineEnd)], SOURCE);
    expect(decoded.checkpoint.board).toStrictEqual({ vars: { list: [1, 2] } });
  });

  test("the written size depends on the change, not on the board", async () => {
    const board = createBoard();
    board.setVar("large", "x".repeat(100_000));
    const snapshots: BoardSnapshot[] = [];
    for (let step = 0; step < 100; step += 1) {
      board.appendSliceVar("turns", { step, text: "y".repeat(1000) });
      snapshots.push(board.snapshot());
    }
    const { bases, bytes } = await logOf(snapshots);
    expect(bases).toBe(1);
    expect(bytes).toBeLessThan(100_000 + 100 * 1400);
  });

  test("items that change far from each other are written without the items between them", async () => {
    const board = createBoard();
    const items = Array.from({ length: 3000 }, (_, index) => ({ index, text: "x".repeat(300) }));
    board.setVar("list", items);
    const rewrite = (index: number, text: string): void =>
      board.updateSliceVarItem(
        "list",
        (item) => Object(item).index === index,
        () => ({ index: index, text }),
      );
    const snapshots = [board.snapshot()];
    for (let step = 0; step < 50; step += 1) {
      for (const index of [0, 1500, 2999]) rewrite(index, `${step}`.padEnd(300));
      snapshots.push(board.snapshot());
    }
    const small = await logOf(snapshots);
    expect(small.bases).toBe(1);
    expect(small.bytes).toBeLessThan(3000 * 340 + 50 * 3 * 500);
    for (const index of [0, 1500, 2999]) rewrite(index, "y".repeat(200_000));
    snapshots.push(board.snapshot());
    const { lines } = await logOf(snapshots);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(700_000);
    expect({ ...(await decodeCheckpoint(lines, SOURCE)).checkpoint.board }).toStrictEqual({ ...board.snapshot() });
  });

  test("a log of superseded records is rewritten before it becomes larger than the rest", async () => {
    const board = createBoard();
    const snapshots: BoardSnapshot[] = [];
    for (let step = 0; step < 50; step += 1) {
      board.setVar("state", `${step}`.padEnd(100_000, "z"));
      snapshots.push(board.snapshot());
    }
    const { lines, bases } = await logOf(snapshots);
    expect(bases).toBeGreaterThan(1);
    expect(Buffer.concat(lines).length).toBeLessThan(1_500_000);
    expect((await decodeCheckpoint(lines, SOURCE)).checkpoint.board.vars["state"]).toBe("49".padEnd(100_000, "z"));
  });

  test("a large record is written in parts that are valid only together [D3]", async () => {
    const board = createBoard();
    for (let index = 0; index < 3000; index += 1) board.appendSliceVar("list", { index, text: "x".repeat(300) });
    board.setVar(
      "set",
      Array.from({ length: 3000 }, (_, index) => `${index}`.padEnd(200)),
    );
    board.setVar(
      "record",
      Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key ${index}`, "v".repeat(200)])),
    );
    const lines = await linesOf(checkpoint(board.snapshot()));
    expect(lines.length).toBeGreaterThan(6);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(700_000);
    expect({ ...(await decodeCheckpoint(lines, SOURCE)).checkpoint.board }).toStrictEqual({ ...board.snapshot() });
    expect(await codeOf(decodeCheckpoint(lines.slice(0, -1), SOURCE))).toBe("checkpoint.corrupt");
    expect(
      await codeOf(
        decodeCheckpoint(
          lines.filter((_, index) => index !== 2),
          SOURCE,
        ),
      ),
    ).toBe("checkpoint.corrupt");
  });

  test("a missing, doubled, foreign or newer record is refused with its class [D3] [engine-checkpoint-store-3]", async () => {
    const board = createBoard();
    const snapshots = [1, 2, 3].map((value) => {
      board.setVar("a", value);
      return board.snapshot();
    });
    const { lines } = await logOf(snapshots);
    const [first = "", second = "", third = ""] = lines;
    expect(await codeOf(decodeCheckpoint([], SOURCE))).toBe("checkpoint.corrupt");
    expect(await codeOf(decodeCheckpoint([first, third], SOURCE))).toBe("checkpoint.corrupt");
    expect(await codeOf(decodeCheckpoint([first, second, second], SOURCE))).toBe("checkpoint.corrupt");
    expect(await codeOf(decodeCheckpoint([second], SOURCE))).toBe("checkpoint.corrupt");
    expect(await codeOf(decodeCheckpoint([first, "\0".repeat(50)], SOURCE))).toBe("checkpoint.corrupt");
    expect(
      await codeOf(decodeCheckpoint([sealLine('{"kind":"base","n":1,"parts":0,"board":{"vars":[]}}')], SOURCE)),
    ).toBe("checkpoint.corrupt");
    expect(await codeOf(decodeCheckpoint(lines, { ...SOURCE, runId: "run-2" }))).toBe("checkpoint.foreign");
    expect(await codeOf(decodeCheckpoint([first, '{"check":"7:x"}', '{"a":1,"check":"7:x"}'], SOURCE))).toBe(
      "checkpoint.corrupt",
    );
    expect(await codeOf(decodeCheckpoint([first, '{"a":1,"check":"7:x"}'], SOURCE))).toBe("checkpoint.newer_format");
    const encoding = (async () => createCheckpointEncoder("run-2").encode(checkpoint({ vars: {} })))();
    expect(await codeOf(encoding)).toBe("checkpoint.foreign");
  });
});
