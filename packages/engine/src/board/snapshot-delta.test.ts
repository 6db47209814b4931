import { type Board, type BoardSnapshot, EngineError, MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applySnapshotDelta, createBoard, type SnapshotDelta, snapshotDelta } from "../index.ts";

function said(text: string): ReturnType<typeof textMessage> {
  return textMessage("user", text);
}

/** Returns the snapshot as another process would read it from a file. */
function foreign<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function deltaOf(start: (board: Board) => void, change: (board: Board) => void): SnapshotDelta {
  const board = createBoard();
  start(board);
  const before = board.snapshot();
  change(board);
  const after = board.snapshot();
  const delta = snapshotDelta(before, after);
  expect(applySnapshotDelta(before, delta)).toEqual(after);
  expect(applySnapshotDelta(foreign(before), foreign(delta))).toEqual(foreign(after));
  return delta;
}

test("a delta names only the changes", () => {
  const fill = (board: Board): void => {
    board.setVar("kept", { a: 1 });
    board.setVar("record", { big: ["x"], small: 1, gone: 1 });
    board.setVar("list", [1, 2, 3, 4]);
    for (const text of ["a", "b"]) board.appendChannelMessage(MAIN_CHANNEL, said(text));
  };
  expect(deltaOf(fill, () => {})).toEqual({});
  expect(deltaOf(fill, (board) => board.setVar("kept", { a: 1 }))).toEqual({});
  expect(deltaOf(fill, (board) => board.setVar("kept", 2))).toEqual({ vars: { kept: { set: 2 } } });
  expect(deltaOf(fill, (board) => board.deleteVar("kept"))).toEqual({ vars: { kept: { deleted: true } } });
  expect(deltaOf(fill, (board) => board.appendSliceVar("list", 5))).toEqual({
    vars: { list: { keep: 4, items: [5] } },
  });
  expect(deltaOf(fill, (board) => board.setVar("list", [1, 9, 3, 4]))).toEqual({
    vars: { list: { keep: 1, items: [9], keepLast: 2 } },
  });
  expect(deltaOf(fill, (board) => board.setVar("record", { big: ["x"], small: 2 }))).toEqual({
    vars: { record: { fields: { small: { set: 2 }, gone: { deleted: true } } } },
  });
  expect(deltaOf(fill, (board) => board.appendChannelMessage(MAIN_CHANNEL, said("c")))).toEqual({
    channels: { [MAIN_CHANNEL]: { keep: 2, items: [said("c")] } },
  });
  expect(deltaOf(fill, (board) => board.setChannel("empty", []))).toEqual({
    channels: { empty: { keep: 0, items: [] } },
  });
});

test("without a first snapshot a delta leads from a new board", () => {
  const board = createBoard();
  expect(snapshotDelta(undefined, board.snapshot())).toEqual({});
  expect(applySnapshotDelta(undefined, {})).toEqual(board.snapshot());
  board.setVar("a", 1);
  board.appendChannelMessage(MAIN_CHANNEL, said("a"));
  const delta = foreign(snapshotDelta(undefined, board.snapshot()));
  expect(applySnapshotDelta(undefined, delta)).toEqual(board.snapshot());
});

test("names such as __proto__ and constructor are ordinary names in a delta", () => {
  const delta = deltaOf(
    (board) => board.setVar("record", { a: 1 }),
    (board) => {
      board.setVar("record", JSON.parse('{"a":1,"__proto__":{"polluted":true},"constructor":1}'));
      board.setVar("__proto__", 1);
      board.appendChannelMessage("__proto__", said("a"));
    },
  );
  expect(JSON.stringify(delta)).toContain('"__proto__"');
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("dates and bytes of a delta are copies", () => {
  const board = createBoard();
  const before = board.snapshot();
  board.setVar("value", { when: new Date(0), bytes: new Uint8Array([1]) });
  board.appendSliceVar("dates", new Date(0));
  const delta = snapshotDelta(before, board.snapshot());
  const applied = applySnapshotDelta(before, delta);
  Object(delta).vars.value.set.when.setTime(5);
  Object(delta).vars.dates.set[0].setTime(5);
  for (const snapshot of [board.snapshot(), applied]) {
    expect(snapshot.vars).toEqual({ value: { when: new Date(0), bytes: new Uint8Array([1]) }, dates: [new Date(0)] });
  }
});

test("a delta that does not belong to the snapshot is refused", () => {
  const board = createBoard();
  board.setVar("text", "a");
  const snapshot = board.snapshot();
  const broken: readonly unknown[] = [
    { vars: { text: { keep: 0, items: [] } } },
    { vars: { text: { fields: {} } } },
    { vars: { text: {} } },
    { vars: { text: 1 } },
    { vars: { text: { set: () => 1 } } },
    { channels: { [MAIN_CHANNEL]: { keep: 1, items: [] } } },
    { channels: { [MAIN_CHANNEL]: { keep: -1, items: [] } } },
    { channels: { [MAIN_CHANNEL]: { keep: 0, items: 7 } } },
  ];
  for (const delta of broken) {
    expect(() => applySnapshotDelta(snapshot, Object(delta))).toThrow(EngineError);
  }
  expect(snapshot.vars).toEqual({ text: "a" });
});

test("a board restored from an applied delta continues with small deltas", () => {
  const board = createBoard();
  for (let index = 0; index < 5; index += 1) board.appendChannelMessage(MAIN_CHANNEL, said(String(index)));
  const loaded = applySnapshotDelta(undefined, foreign(snapshotDelta(undefined, board.snapshot())));
  const resumed = createBoard(loaded);
  resumed.appendChannelMessage(MAIN_CHANNEL, said("5"));
  expect(snapshotDelta(loaded, resumed.snapshot())).toEqual({
    channels: { [MAIN_CHANNEL]: { keep: 5, items: [said("5")] } },
  });
});

test("ten thousand deltas in a row result in the board's content", () => {
  let snapshot = createBoard().snapshot();
  const board = createBoard();
  const item = said("x");
  for (let index = 0; index < 10_000; index += 1) {
    const before = board.snapshot();
    board.appendChannelMessage(MAIN_CHANNEL, item);
    board.appendSliceVar("list", index);
    snapshot = applySnapshotDelta(snapshot, snapshotDelta(before, board.snapshot()));
  }
  expect(snapshot).toEqual(board.snapshot());
});

const NAMES = ["a", "b", "__proto__"];
const value = fc.oneof(
  fc.nat(3),
  fc.array(fc.nat(2), { maxLength: 4 }),
  fc.dictionary(fc.constantFrom("x", "y", "z"), fc.oneof(fc.nat(2), fc.array(fc.nat(2), { maxLength: 3 })), {
    maxKeys: 3,
  }),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 2 }),
);
const step = fc.record({
  kind: fc.constantFrom("set", "append", "update", "delete", "say", "replace", "snapshot", "restore", "foreign"),
  name: fc.constantFrom(...NAMES),
  value,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function play(board: Board, { kind, name, value: held }: Step, taken: BoardSnapshot[]): void {
  const earlier = taken[typeof held === "number" ? held % Math.max(1, taken.length) : 0];
  if (kind === "set") board.setVar(name, held);
  if (kind === "append" && (!board.hasVar(name) || Array.isArray(board.getVar(name)))) board.appendSliceVar(name, held);
  if (kind === "update")
    board.updateSliceVarItem(
      name,
      () => true,
      () => held,
    );
  if (kind === "delete") board.deleteVar(name);
  if (kind === "say") board.appendChannelMessage(name, said(JSON.stringify(held)));
  if (kind === "replace") board.setChannel(name, [...board.channel(name).slice(1), said("r")]);
  if (kind === "snapshot") taken.push(board.snapshot());
  if (kind === "restore") board.restoreFrom(earlier);
  if (kind === "foreign")
    board.restoreFrom(
      earlier === undefined ? undefined : structuredClone({ vars: earlier.vars, channels: earlier.channels }),
    );
}

test("of any two snapshots of any history, the delta leads from one to the other", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (history) => {
      const board = createBoard();
      const taken: BoardSnapshot[] = [board.snapshot()];
      for (const played of history) play(board, played, taken);
      taken.push(board.snapshot());
      for (const before of taken) {
        for (const after of taken) {
          const applied = applySnapshotDelta(before, structuredClone(snapshotDelta(before, after)));
          expect(applied).toEqual(after);
          expect(Object.isFrozen(applied.vars)).toBe(true);
          expect(snapshotDelta(applied, after)).toEqual({});
        }
      }
    }),
    { numRuns: 300 },
  );
});
