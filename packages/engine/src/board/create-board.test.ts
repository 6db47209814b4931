import {
  boardKey,
  EngineError,
  MAIN_CHANNEL,
  type Message,
  SESSION_INPUT,
  SESSION_RESULT,
  textMessage,
} from "@switchyard/contracts";
import { describe, expect, expectTypeOf, test } from "vitest";
import { createBoard, getTyped, MAX_VALUE_DEPTH } from "../index.ts";

function invalidValue(act: () => unknown): EngineError {
  try {
    act();
  } catch (error) {
    if (EngineError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe("variables", () => {
  test("a board contains variables and channels and nothing else [engine-board-18]", () => {
    expect(Object.keys(createBoard().snapshot())).toEqual(["vars", "channels"]);
  });

  test("every key of the platform's own begins with two underscores [engine-board-2]", () => {
    for (const key of [MAIN_CHANNEL, SESSION_INPUT.name, SESSION_RESULT.name]) expect(key).toMatch(/^__/);
  });

  test("a new board has an empty main channel and no variables [engine-board-1]", () => {
    const board = createBoard();
    expect(board.channels()).toEqual({ [MAIN_CHANNEL]: [] });
    expect(MAIN_CHANNEL).toBe("__main_channel");
    expect(board.vars()).toEqual({});
  });

  test("reading says whether a variable exists [engine-board-8]", () => {
    const board = createBoard();
    board.setVar("nothing", null);
    expect([board.hasVar("nothing"), board.getVar("nothing")]).toEqual([true, null]);
    expect([board.hasVar("other"), board.getVar("other")]).toEqual([false, undefined]);
    board.deleteVar("nothing");
    board.deleteVar("other");
    expect(board.hasVar("nothing")).toBe(false);
  });

  test("a variable that is not a text is read as the empty text [engine-board-9]", () => {
    const board = createBoard();
    board.setVar("text", "a");
    board.setVar("number", 1);
    expect(["text", "number", "missing"].map((name) => board.getVarString(name))).toEqual(["a", "", ""]);
  });

  test("reading by type returns undefined for a value of another type [engine-board-10]", () => {
    const board = createBoard();
    const isNumber = (value: unknown): value is number => typeof value === "number";
    board.setVar("number", 7);
    board.setVar("text", "7");
    expect(["number", "text", "missing"].map((name) => getTyped(board, name, isNumber))).toEqual([
      7,
      undefined,
      undefined,
    ]);
    const key = boardKey<{ count: number }>("counter");
    board.set(key, { count: 1 });
    expectTypeOf(board.get(key)).toEqualTypeOf<{ count: number } | undefined>();
    expect(board.get(key)).toEqual({ count: 1 });
  });

  test("a value is copied once and frozen [engine-board-16]", () => {
    const board = createBoard();
    const value = { list: [{ a: 1 }] };
    board.setVar("value", value);
    value.list.push({ a: 2 });
    const held = board.getVar("value");
    expect(held).toEqual({ list: [{ a: 1 }] });
    expect(Object.isFrozen(held)).toBe(true);
    expect(board.getVar("value")).toBe(held);
    board.setVar("again", { held });
    expect(board.getVar("again")).toEqual({ held: { list: [{ a: 1 }] } });
    expect(Object.values(Object(board.getVar("again")))[0]).toBe(held);
  });

  test("a value that is not plain data is refused with its key [engine-board-17]", () => {
    const board = createBoard();
    class Handle {
      id = 1;
    }
    const sparse: unknown[] = [];
    sparse[1] = 1;
    const bad = [
      () => 1,
      1n,
      Symbol("s"),
      Number.NaN,
      Number.POSITIVE_INFINITY,
      undefined,
      new Map(),
      new Set(),
      new Handle(),
    ];
    for (const value of [...bad, sparse, new Date(Number.NaN), Promise.resolve()]) {
      for (const shape of [value, { deep: [value] }]) {
        if (shape !== value && value === undefined) continue;
        const error = invalidValue(() => board.setVar("handle", shape));
        expect([error.code, error.details["key"]]).toEqual(["board.invalid_value", "handle"]);
      }
    }
    expect(invalidValue(() => board.setVar("list", [undefined])).code).toBe("board.invalid_value");
    expect(board.vars()).toEqual({});
    board.setVar("fine", {
      text: "",
      flag: false,
      nothing: null,
      list: [0, -0, 1.5],
      when: new Date(0),
      bytes: new Uint8Array([1]),
    });
    expect(board.getVar("fine")).toEqual({
      text: "",
      flag: false,
      nothing: null,
      list: [0, 0, 1.5],
      when: new Date(0),
      bytes: new Uint8Array([1]),
    });
  });

  test("values whose own code throws while they are read are refused with their key, and nothing is stored", () => {
    const board = createBoard();
    const failure = new Error("not now");
    const fail = (): never => {
      throw failure;
    };
    for (const value of [Object.defineProperty({}, "part", { get: fail, enumerable: true }), { clone: fail }]) {
      const error = invalidValue(() => board.setVar("handle", value));
      expect([error.code, error.details["key"], error.cause]).toEqual(["board.invalid_value", "handle", failure]);
      expect(board.getVar("handle")).toBeUndefined();
    }
  });

  test("cycles and values deeper than 64 levels are refused [engine-board-17]", () => {
    const board = createBoard();
    const cycle: Record<string, unknown> = {};
    cycle["list"] = [cycle];
    expect(invalidValue(() => board.setVar("cycle", cycle)).message).toContain("contains itself");
    expect(invalidValue(() => board.setVar("deep", nested(MAX_VALUE_DEPTH + 1))).message).toContain("64");
    board.setVar("deep", nested(MAX_VALUE_DEPTH));
    // Also if most of the levels are already on the board.
    const held = board.getVar("deep");
    expect(invalidValue(() => board.setVar("deeper", [held])).code).toBe("board.invalid_value");
    expect(invalidValue(() => board.setVar("endless", nested(100_000))).code).toBe("board.invalid_value");
  });

  test("an item counts with the list it is put into [engine-board-17]", () => {
    const board = createBoard();
    const fits = nested(MAX_VALUE_DEPTH - 1);
    board.appendSliceVar("list", fits);
    board.setVar("again", board.getVar("list"));
    expect(invalidValue(() => board.appendSliceVar("list", nested(MAX_VALUE_DEPTH))).code).toBe("board.invalid_value");
    const update = (): void =>
      board.updateSliceVarItem(
        "list",
        () => true,
        () => nested(MAX_VALUE_DEPTH),
      );
    expect(invalidValue(update).details["key"]).toBe("list");
    expect(board.getVar("list")).toEqual([fits]);
  });

  test("a value that shares its parts exponentially often is refused without writing it out [engine-board-17]", () => {
    let value: unknown = ["x"];
    for (let level = 0; level < 40; level += 1) value = [value, value];
    expect(invalidValue(() => createBoard().setVar("bomb", value)).code).toBe("board.invalid_value");
  });

  test("a value with its own clone method is stored as its clone [engine-board-snapshot-3]", () => {
    const board = createBoard();
    class Money {
      readonly cents: number;
      constructor(cents: number) {
        this.cents = cents;
      }
      clone(): unknown {
        return { cents: this.cents };
      }
    }
    board.setVar("price", { net: new Money(100) });
    expect(board.getVar("price")).toEqual({ net: { cents: 100 } });
    const endless = { clone: () => endless };
    expect(invalidValue(() => board.setVar("endless", endless)).code).toBe("board.invalid_value");
    const growing = (): unknown => ({ clone: growing });
    expect(invalidValue(() => board.setVar("growing", growing())).code).toBe("board.invalid_value");
  });

  test("dates and bytes that were read cannot change the board [engine-board-16]", () => {
    const board = createBoard();
    board.setVar("value", { when: new Date(0), list: [new Uint8Array([1])] });
    board.appendSliceVar("dates", new Date(0));
    for (const read of [board.getVar("value"), board.vars()["value"], board.snapshot().vars["value"]]) {
      const { when, list } = Object(read);
      when.setTime(5);
      list[0][0] = 9;
    }
    for (const date of Object(board.getVar("dates"))) date.setTime(5);
    board.updateSliceVarItem(
      "dates",
      (item) => Object(item).setTime(7) === 0,
      (item) => item,
    );
    expect(board.getVar("value")).toEqual({ when: new Date(0), list: [new Uint8Array([1])] });
    expect(board.getVar("dates")).toEqual([new Date(0)]);
  });

  test("undefined fields are omitted, as in JSON", () => {
    const board = createBoard();
    board.setVar("value", { a: undefined, b: 1 });
    expect(JSON.stringify(board.getVar("value"))).toBe('{"b":1}');
  });

  test("names such as __proto__ are ordinary names", () => {
    const board = createBoard();
    board.setVar("__proto__", JSON.parse('{"__proto__": {"polluted": true}}'));
    board.appendChannelMessage("__proto__", textMessage("user", "a"));
    expect(Object.hasOwn(board.vars(), "__proto__")).toBe(true);
    expect(JSON.stringify(board.snapshot())).toContain('"__proto__":{"__proto__":{"polluted":true}}');
    expect(createBoard(JSON.parse(JSON.stringify(board.snapshot()))).channel("__proto__")).toHaveLength(1);
    expect(Object(board.getVar("constructor"))).toEqual({});
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("the record of variables is the caller's own [engine-board-15]", () => {
    const board = createBoard();
    board.setVar("a", 1);
    const vars: Record<string, unknown> = board.vars();
    vars["b"] = 2;
    expect(board.vars()).toEqual({ a: 1 });
  });
});

describe("list variables", () => {
  test("appending creates the list [engine-board-11]", () => {
    const board = createBoard();
    board.appendSliceVar("list", 1);
    board.appendSliceVar("list", { a: 2 });
    board.setVar("given", [1]);
    board.appendSliceVar("given", 2);
    expect(board.vars()).toEqual({ list: [1, { a: 2 }], given: [1, 2] });
  });

  test("appending to a value that is not a list fails and changes nothing [engine-board-12]", () => {
    const board = createBoard();
    board.setVar("text", "a");
    board.setVar("nothing", null);
    for (const name of ["text", "nothing"]) {
      const error = invalidValue(() => board.appendSliceVar(name, 1));
      expect([error.code, error.class]).toEqual(["board.not_a_list", "validation"]);
    }
    expect(invalidValue(() => board.appendSliceVar("list", () => 1)).code).toBe("board.invalid_value");
    expect(board.vars()).toEqual({ text: "a", nothing: null });
  });

  test("only the first matching item is updated [engine-board-13]", () => {
    const board = createBoard();
    board.setVar("list", [{ id: 1 }, { id: 2 }, { id: 2 }]);
    board.updateSliceVarItem(
      "list",
      (item) => Object(item).id === 2,
      (item) => ({ ...Object(item), done: true }),
    );
    expect(board.getVar("list")).toEqual([{ id: 1 }, { id: 2, done: true }, { id: 2 }]);
  });

  test("updating a value that is not a list, or without a match, does nothing [engine-board-14]", () => {
    const board = createBoard();
    board.setVar("text", "a");
    board.setVar("list", [1]);
    for (const name of ["text", "missing"])
      board.updateSliceVarItem(
        name,
        () => true,
        () => 2,
      );
    board.updateSliceVarItem(
      "list",
      () => false,
      () => 2,
    );
    expect(board.vars()).toEqual({ text: "a", list: [1] });
  });
});

describe("channels", () => {
  test("appending a message creates its channel [engine-board-3]", () => {
    const board = createBoard();
    board.appendChannelMessage("side", textMessage("user", "a"));
    expect(board.channel("side")).toEqual([textMessage("user", "a")]);
    expect(board.channel(MAIN_CHANNEL)).toEqual([]);
  });

  test("changing a value after it was read or passed in does not change the board [engine-board-4] [engine-board-6] [engine-board-7]", () => {
    const board = createBoard();
    const messages: Message[] = [textMessage("user", "a")];
    board.setChannel("side", messages);
    messages.push(textMessage("user", "b"));
    messages[0] = textMessage("user", "c");
    const expected = [textMessage("user", "a")];
    for (const read of [board.channel("side"), board.channels()["side"] ?? []]) {
      expect(read).toEqual(expected);
      expect([Object.isFrozen(read), Object.isFrozen(read[0]), Object.isFrozen(read[0]?.parts)]).toEqual([
        true,
        true,
        true,
      ]);
    }
    board.setChannel("side", []);
    expect(board.channel("side")).toEqual([]);
  });

  test("a missing channel is read as undefined [engine-board-5]", () => {
    expect(createBoard().channel("missing")).toHaveLength(0);
  });

  test("a message that cannot be stored on a board is refused with its channel", () => {
    const value: unknown = () => 1;
    const error = invalidValue(() =>
      createBoard().appendChannelMessage("side", { role: "user", parts: [{ type: "data", value }] }),
    );
    expect([error.code, error.details["key"]]).toEqual(["board.invalid_value", "side"]);
  });
});
