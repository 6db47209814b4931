import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused } from "../contract/expectations.ts";
import type { BoardSubject } from "./board-subject.ts";

const DEEPEST = 64;

class Handle {
  readonly open = true;
}

function nested(levels: number): unknown {
  let value: unknown = "inside";
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

function cycle(): unknown {
  const value: Record<string, unknown> = {};
  value["self"] = [value];
  return value;
}

/**
 * Asserts that a board rejects a value: alone and nested, when set and when appended. The old value must not change.
 */
async function assertUnstorable({ create }: BoardSubject, values: Readonly<Record<string, unknown>>): Promise<void> {
  const board = await create();
  board.setVar("kept", ["earlier"]);
  for (const [name, value] of Object.entries(values)) {
    const places = { "": value, " in a list": [1, value] };
    for (const [place, placed] of Object.entries(places)) {
      const what = `setting ${name}${place}`;
      const error = await assertRefused(() => board.setVar("kept", placed), "validation", what);
      assert.match(error.message, /kept/, `${what}: the error does not name the variable`);
      await assertRefused(() => board.appendSliceVar("kept", placed), "validation", `appending ${name}${place}`);
    }
  }
  assert.deepEqual(board.vars(), { kept: ["earlier"] });
}

/** Conformance cases for values that a board must reject. */
export const refusalCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/refuses-functions",
    requirement: "engine-board-17",
    title: "Functions and symbols are refused with the name of the variable",
    check: (subject) =>
      assertUnstorable(subject, { "a function": () => {}, "a symbol": Symbol("x"), "a class": Handle }),
  },
  {
    id: "board/refuses-bigints",
    requirement: "engine-board-17",
    title: "BigInts are refused with the name of the variable",
    check: (subject) => assertUnstorable(subject, { "a BigInt": 1n }),
  },
  {
    id: "board/refuses-undefined",
    requirement: "engine-board-17",
    title: "Undefined is no value",
    check: (subject) => assertUnstorable(subject, { undefined: undefined }),
  },
  {
    id: "board/refuses-odd-numbers",
    requirement: ["engine-board-17", "engine-board-snapshot-4"],
    title: "Numbers that JSON cannot carry are refused",
    check: (subject) =>
      assertUnstorable(subject, { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, "-Infinity": -Infinity }),
  },
  {
    id: "board/refuses-handles",
    requirement: "engine-board-17",
    title: "Instances of classes, maps, sets and invalid dates are refused unless they offer a clone",
    check: (subject) =>
      assertUnstorable(subject, {
        "an instance": new Handle(),
        "a map": new Map(),
        "a set": new Set(),
        "an error": new Error("x"),
        "an invalid date": new Date(Number.NaN),
      }),
  },
  {
    id: "board/refuses-cycles",
    requirement: "engine-board-17",
    title: "A value that contains itself is refused",
    check: (subject) => assertUnstorable(subject, { "a cycle": cycle() }),
  },
  {
    id: "board/refuses-depth",
    requirement: "engine-board-17",
    title: "A value of more than 64 levels is refused, one of 64 is kept",
    async check(subject) {
      await assertUnstorable(subject, { "65 levels": nested(DEEPEST + 1), "1,000 levels": nested(1_000) });
      const board = await subject.create();
      board.setVar("x", nested(DEEPEST));
      assert.deepEqual(board.getVar("x"), nested(DEEPEST));
    },
  },
  {
    id: "board/keeps-shared-parts",
    requirement: "engine-board-16",
    title: "A part that occurs twice is no cycle",
    async check({ create }) {
      const board = await create();
      const part = { n: 1 };
      board.setVar("x", [part, part, { part }]);
      assert.deepEqual(board.getVar("x"), [{ n: 1 }, { n: 1 }, { part: { n: 1 } }]);
    },
  },
  {
    id: "board/refuses-bad-clone",
    requirement: ["engine-board-17", "engine-board-snapshot-3"],
    title: "What a clone gives is checked like any other value",
    check: (subject) => assertUnstorable(subject, { "a clone with a function": { clone: () => ({ f: () => {} }) } }),
  },
];
