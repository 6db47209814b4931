import { type BoardSnapshot, EngineError, MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createBoard } from "../index.ts";

function filled(): ReturnType<typeof createBoard> {
  const board = createBoard();
  board.setVar("a", { b: [1, 2] });
  board.appendSliceVar("list", "x");
  board.appendChannelMessage(MAIN_CHANNEL, textMessage("user", "hello"));
  return board;
}

test("a snapshot has variables and channels [engine-board-snapshot-1]", () => {
  expect(createBoard().snapshot()).toEqual({ vars: {}, channels: { [MAIN_CHANNEL]: [] } });
  expect(filled().snapshot()).toEqual({
    vars: { a: { b: [1, 2] }, list: ["x"] },
    channels: { [MAIN_CHANNEL]: [textMessage("user", "hello")] },
  });
});

test("a snapshot does not change with the board, read before or after [engine-board-snapshot-2]", () => {
  for (const readFirst of [true, false]) {
    const board = filled();
    const snapshot = board.snapshot();
    const before = readFirst ? JSON.stringify(snapshot) : JSON.stringify(filled().snapshot());
    board.setVar("a", 2);
    board.deleteVar("a");
    board.appendSliceVar("list", "y");
    board.updateSliceVarItem(
      "list",
      () => true,
      () => "z",
    );
    board.appendChannelMessage(MAIN_CHANNEL, textMessage("user", "more"));
    board.setChannel("other", []);
    expect(JSON.stringify(snapshot)).toBe(before);
  }
});

test("a snapshot survives JSON [engine-board-snapshot-4]", () => {
  const board = filled();
  const read: BoardSnapshot = JSON.parse(JSON.stringify(board.snapshot()));
  expect(createBoard(read).snapshot()).toEqual(board.snapshot());
});

test("two boards of one snapshot are independent [engine-board-snapshot-9]", () => {
  const snapshot = filled().snapshot();
  const before = JSON.stringify(snapshot);
  const [left, right] = [createBoard(snapshot), createBoard(snapshot)];
  left.appendSliceVar("list", "left");
  right.appendSliceVar("list", "right");
  left.appendChannelMessage(MAIN_CHANNEL, textMessage("user", "left"));
  expect([left.getVar("list"), right.getVar("list")]).toEqual([
    ["x", "left"],
    ["x", "right"],
  ]);
  expect([left.channel(MAIN_CHANNEL).length, right.channel(MAIN_CHANNEL).length]).toEqual([2, 1]);
  expect(JSON.stringify(snapshot)).toBe(before);
});

test("restoring replaces everything [engine-board-snapshot-6]", () => {
  const board = createBoard();
  board.setVar("gone", 1);
  board.setChannel("gone", [textMessage("user", "a")]);
  board.restoreFrom(filled().snapshot());
  expect(board.snapshot()).toEqual(filled().snapshot());
});

test("restoring from undefined changes nothing, and a board created from undefined is new [engine-board-snapshot-5] [engine-board-snapshot-7]", () => {
  const board = filled();
  board.restoreFrom(undefined);
  expect(board.snapshot()).toEqual(filled().snapshot());
  expect(createBoard(undefined).snapshot()).toEqual(createBoard().snapshot());
});

test("a snapshot without channels gives a main channel, and one of old names it [engine-board-snapshot-8]", () => {
  expect(createBoard({ vars: {} }).channels()).toEqual({ [MAIN_CHANNEL]: [] });
  const old = { vars: {}, channels: { "": [textMessage("user", "a")] } };
  expect(createBoard(old).channels()).toEqual({ [MAIN_CHANNEL]: [textMessage("user", "a")] });
});

test("a foreign snapshot is copied, and refused if it contains a value that no board can store", () => {
  const foreign = { vars: { list: [1] }, channels: {} };
  const board = createBoard(foreign);
  foreign.vars.list.push(2);
  expect(board.getVar("list")).toEqual([1]);
  const before = board.snapshot();
  expect(() => board.restoreFrom({ vars: { bad: () => 1 } })).toThrow(EngineError);
  expect(board.snapshot()).toBe(before);
});

type Step = { kind: "set" | "append" | "say" | "delete" | "snapshot" | "restore"; name: string; value: number };
const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom("set", "append", "say", "delete", "snapshot", "restore"),
    name: fc.constantFrom("a", "b"),
    value: fc.nat(9),
  }),
  { maxLength: 60 },
);

test("every snapshot stays unchanged, whatever happens to the board afterwards [engine-board-snapshot-2]", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const board = createBoard();
      let model: { vars: Record<string, unknown[]>; said: number[] } = { vars: {}, said: [] };
      const taken: { snapshot: BoardSnapshot; model: typeof model }[] = [];
      for (const { kind, name, value } of list) {
        if (kind === "set") board.setVar(name, [value]);
        if (kind === "append") board.appendSliceVar(name, value);
        if (kind === "delete") board.deleteVar(name);
        if (kind === "say") board.appendChannelMessage(MAIN_CHANNEL, textMessage("user", String(value)));
        if (kind === "set") model.vars[name] = [value];
        if (kind === "append") model.vars[name] = [...(model.vars[name] ?? []), value];
        if (kind === "delete") delete model.vars[name];
        if (kind === "say") model.said.push(value);
        if (kind === "snapshot") taken.push({ snapshot: board.snapshot(), model: structuredClone(model) });
        const back = taken[value % Math.max(1, taken.length)];
        if (kind === "restore" && back !== undefined) {
          board.restoreFrom(back.snapshot);
          model = structuredClone(back.model);
        }
      }
      taken.push({ snapshot: board.snapshot(), model });
      for (const { snapshot, model: expected } of taken) {
        const said = expected.said.map((value) => textMessage("user", String(value)));
        expect(snapshot).toEqual({ vars: expected.vars, channels: { [MAIN_CHANNEL]: said } });
      }
    }),
  );
});

test("a board stores every JSON value unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const board = createBoard();
      board.setVar("value", value);
      expect(JSON.stringify(createBoard(JSON.parse(JSON.stringify(board.snapshot()))).getVar("value"))).toBe(
        JSON.stringify(value),
      );
    }),
  );
});
