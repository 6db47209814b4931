import { type Board, type BoardSnapshot, EngineError, MAIN_CHANNEL } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applySnapshotDelta, createBoard, type SnapshotDelta, snapshotDelta } from "../index.ts";

interface Item {
  readonly id: number;
  readonly text: string;
}

function numbered(length: number): Item[] {
  return Array.from({ length }, (_, id) => ({ id, text: "as it was" }));
}

function hasId(id: number): (item: unknown) => boolean {
  return (item) => Object(item).id === id;
}

function rewrite(board: Board, id: number, text: string): void {
  board.updateSliceVarItem("list", hasId(id), () => ({ id, text }));
}

/** Returns the delta as another process would read it from a file. */
function foreign(delta: SnapshotDelta): SnapshotDelta {
  return JSON.parse(JSON.stringify(delta));
}

// Lengths around which a list gets one more node, and one more level of nodes.
const length = fc.oneof(fc.constantFrom(0, 1, 31, 32, 33, 1023, 1024, 1025, 1056), fc.nat(2500));
const step = fc.record({
  kind: fc.constantFrom("append", "append", "rewrite", "rewrite", "remove", "insert", "fork", "keep"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  count: fc.integer({ min: 1, max: 40 }),
});

/** A board and the list that it must contain. */
interface Pair {
  readonly board: Board;
  model: Item[];
}

function change({ board, model }: Pair, { kind, at, count }: { kind: string; at: number; count: number }): Item[] {
  const place = Math.floor(at * model.length);
  if (kind === "append") {
    const items = Array.from({ length: count }, (_, index) => ({ id: 10_000 + model.length + index, text: "new" }));
    for (const item of items) board.appendSliceVar("list", item);
    return [...model, ...items];
  }
  if (kind === "rewrite") {
    const changed = model[place];
    if (changed === undefined) return model;
    rewrite(board, changed.id, `rewritten ${count}`);
    return model.with(model.findIndex(hasId(changed.id)), { id: changed.id, text: `rewritten ${count}` });
  }
  const next = [...model.slice(0, place), ...model.slice(kind === "remove" ? place + count : place)];
  if (kind === "insert") next.splice(place, 0, { id: -count, text: "put in" });
  board.setVar("list", next);
  return next;
}

test("lists of any length have the content of plain arrays, independent of each other, and a delta exists between any two [engine-board-snapshot-2]", () => {
  fc.assert(
    fc.property(length, fc.array(step, { minLength: 1, maxLength: 12 }), (start, steps) => {
      const first = createBoard();
      first.setVar("list", numbered(start));
      const pairs: Pair[] = [{ board: first, model: numbered(start) }];
      const kept: { snapshot: BoardSnapshot; model: Item[] }[] = [];
      for (const [index, played] of steps.entries()) {
        const pair = pairs[index % pairs.length];
        if (pair === undefined) continue;
        if (played.kind === "fork") pairs.push({ board: createBoard(pair.board.snapshot()), model: pair.model });
        else if (played.kind !== "keep") pair.model = change(pair, played);
        kept.push({ snapshot: pair.board.snapshot(), model: pair.model });
      }
      for (const { snapshot, model } of kept) expect(snapshot.vars["list"]).toEqual(model);
      for (const { snapshot: before } of kept.slice(-4)) {
        for (const { snapshot: after } of kept.slice(-4)) {
          const applied = applySnapshotDelta(before, foreign(snapshotDelta(before, after)));
          expect(applied.vars).toEqual(after.vars);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("items changed far from each other are all there is in the delta", () => {
  const board = createBoard();
  board.setVar("list", numbered(5000));
  const before = board.snapshot();
  for (const id of [4990, 3, 4]) rewrite(board, id, "done");
  const inPlace = [
    { keep: 3, items: [3, 4].map((id) => ({ id, text: "done" })), keepLast: 4995 },
    { keep: 4990, items: [{ id: 4990, text: "done" }], keepLast: 9 },
  ];
  expect(snapshotDelta(before, board.snapshot())).toEqual({ vars: { list: { changes: inPlace } } });
  board.appendSliceVar("list", { id: 5000, text: "new" });
  const delta = snapshotDelta(before, board.snapshot());
  expect(delta).toEqual({
    vars: {
      list: {
        changes: [
          { keep: 5000, items: [{ id: 5000, text: "new" }] },
          ...inPlace.map((part) => ({ ...part, keepLast: part.keepLast + 1 })),
        ],
      },
    },
  });
  const applied = applySnapshotDelta(before, foreign(delta));
  expect(applied).toEqual(board.snapshot());
  // In the other direction the list becomes shorter.
  expect(applySnapshotDelta(applied, foreign(snapshotDelta(applied, before)))).toEqual(before);
});

test("a delta does not change the items that it does not name", () => {
  const board = createBoard();
  board.setVar("list", numbered(2000));
  const before = board.snapshot();
  rewrite(board, 1000, "done");
  const applied = applySnapshotDelta(before, foreign(snapshotDelta(before, board.snapshot())));
  const [was, is] = [before, applied].map(({ vars }) => Object(vars["list"]));
  for (const index of [0, 999, 1001, 1999]) expect(is[index]).toBe(was[index]);
  expect(is[1000]).toEqual({ id: 1000, text: "done" });
});

test("thousands of changes in a list of many thousands cost no more than they change", () => {
  const board = createBoard();
  board.setVar("list", numbered(50_000));
  let applied = board.snapshot();
  for (let step = 0; step < 3000; step += 1) {
    const before = board.snapshot();
    rewrite(board, step % 5, `${step}`);
    applied = applySnapshotDelta(applied, foreign(snapshotDelta(before, board.snapshot())));
  }
  expect(Object(applied.vars["list"])[4]).toEqual({ id: 4, text: "2999" });
  expect(snapshotDelta(applied, board.snapshot())).toEqual({});
});

test("items that only moved are not in the delta", () => {
  const board = createBoard();
  board.setVar("list", numbered(100));
  const before = board.snapshot();
  board.setVar("list", [{ id: -1, text: "put in" }, ...numbered(100)]);
  const after = board.snapshot();
  expect(snapshotDelta(before, after)).toEqual({
    vars: { list: { keep: 0, items: [{ id: -1, text: "put in" }], keepLast: 100 } },
  });
  expect(snapshotDelta(after, before)).toEqual({ vars: { list: { keep: 0, items: [], keepLast: 100 } } });
});

test("the predicate is called for each item up to the first match, and not afterwards [engine-board-13]", () => {
  const board = createBoard();
  board.setVar("list", numbered(100));
  const seen: unknown[][] = [];
  board.updateSliceVarItem(
    "list",
    (...given) => {
      seen.push(given);
      return hasId(70)(given[0]);
    },
    () => "found",
  );
  expect(seen).toEqual(numbered(71).map((item) => [item]));
  expect(Object(board.getVar("list"))[70]).toBe("found");
});

test("a changed list is a frozen array for its readers", () => {
  const board = createBoard();
  board.setVar("list", numbered(50));
  rewrite(board, 49, "done");
  for (const read of [board.getVar("list"), board.snapshot().vars["list"]]) {
    expect([Array.isArray(read), Object.isFrozen(read)]).toEqual([true, true]);
    expect(structuredClone(read)).toEqual(JSON.parse(JSON.stringify(read)));
  }
  expect(structuredClone({ ...board.snapshot() }).vars).toEqual(board.vars());
});

test("dates in messages that were read cannot change the board [engine-board-4]", () => {
  const board = createBoard();
  board.appendChannelMessage(MAIN_CHANNEL, { role: "user", parts: [{ type: "data", value: new Date(0) }] });
  for (const read of [board.channel(MAIN_CHANNEL), board.channels()[MAIN_CHANNEL]]) {
    Object(read)[0].parts[0].value.setTime(5);
  }
  expect(board.channel(MAIN_CHANNEL)).toEqual([{ role: "user", parts: [{ type: "data", value: new Date(0) }] }]);
});

test("changes that do not fit the list are refused", () => {
  const board = createBoard();
  board.setVar("list", numbered(3));
  const snapshot = board.snapshot();
  for (const changes of [7, [7], [null], [{}], [{ keep: 4, items: [] }], [{ changes: [] }]]) {
    expect(() => applySnapshotDelta(snapshot, Object({ vars: { list: { changes } } }))).toThrow(EngineError);
  }
  expect(() => applySnapshotDelta(undefined, Object({ vars: { list: { changes: [] } } }))).toThrow(EngineError);
});
