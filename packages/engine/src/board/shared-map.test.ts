import fc from "fast-check";
import { expect, test } from "vitest";
import { createBoard, snapshotDelta } from "../index.ts";

const step = fc.record({
  kind: fc.constantFrom("set", "delete", "fork"),
  name: fc.nat(120).map((number) => `name-${number}`),
  value: fc.nat(5),
});

test("boards with any number of variables have the content of a plain map, independent of each other", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 400 }), (history) => {
      const boards = [{ board: createBoard(), model: new Map<string, number>() }];
      for (const { kind, name, value } of history) {
        const current = boards[value % boards.length];
        if (current === undefined) continue;
        if (kind === "set") {
          current.board.setVar(name, value);
          current.model.set(name, value);
        }
        if (kind === "delete") {
          current.board.deleteVar(name);
          current.model.delete(name);
        }
        if (kind === "fork" && boards.length < 4) {
          boards.push({ board: createBoard(current.board.snapshot()), model: new Map(current.model) });
        }
      }
      for (const { board, model } of boards) {
        expect(board.vars()).toEqual(Object.fromEntries(model));
        for (const name of model.keys()) expect(board.getVar(name)).toBe(model.get(name));
      }
    }),
    { numRuns: 50 },
  );
});

test("added and removed names do not make a board grow", () => {
  const board = createBoard();
  board.setVar("kept", 1);
  for (let number = 0; number < 5_000; number += 1) {
    board.setVar(`passing-${number}`, number);
    board.deleteVar(`passing-${number}`);
  }
  const before = board.snapshot();
  board.setVar("last", 2);
  expect(board.vars()).toEqual({ kept: 1, last: 2 });
  expect(snapshotDelta(before, board.snapshot())).toEqual({ vars: { last: { set: 2 } } });
});

test("a change of one of ten thousand variables is all there is in the delta", () => {
  const board = createBoard();
  for (let number = 0; number < 10_000; number += 1) board.setVar(`name-${number}`, { number });
  const before = board.snapshot();
  board.setVar("name-77", { number: -1 });
  expect(snapshotDelta(before, board.snapshot())).toEqual({ vars: { "name-77": { set: { number: -1 } } } });
});
