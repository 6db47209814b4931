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
 * Asserts that a board (the state of a run) rejects a value: alone and nested, when set and when appended. The old
 * value must not change.
 */
async function assertUnstorable({ create }: BoardSubject, values: Readonly<Record<string, unknown>>): Promise<void> {
  const board = await create();
  board.setVar("kept", ["earlier"]);
  for (const [name, value] of Object.entries(values)) {
    const positions = { "": value, " in a list": [1, value] };
    for (const [position, variable] of Object.entries(positions)) {
      const action = `setting ${name}${position}`;
      const error = await assertRefused(() => board.setVar("kept", variable), "validation", action);
      assert.match(error.message, /kept/, `${action}: the error does not name the variable`);
      await assertRefused(() => board.appendSliceVar("kept", variable), "validation", `appending ${name}${position}`);
    }
  }
  assert.deepEqual(board.vars(), { kept: ["earlier"] });
}

/** Conformance cases for values that a board (the state of a run) must reject. */
export const refusalCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/refuses-functions",
    requirement: "engine-board-17",
    title: "Rejects functions and symbols with the name of the variable",
    check: (subject) =>
      assertUnstorable(subject, { "a function": () => {}, "a symbol": Symbol("x"), "a class": Handle }),
  },
  {
    id: "board/refuses-bigints",
    requirement: "engine-board-17",
    title: "Rejects BigInts with the name of the variable",
    check: (subject) => assertUnstorable(subject, { "a BigInt": 1n }),
  },
  {
    id: "board/refuses-undefined",
    requirement: "engine-board-17",
    title: "Rejects undefined as a value",
    check: (subject) => assertUnstorable(subject, { undefined }),
  },
  {
    id: "board/refuses-odd-numbers",
    requirement: ["engine-board-17", "engine-board-snapshot-4"],
    title: "Rejects numbers that JSON cannot represent",
    check: (subject) =>
      assertUnstorable(subject, { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, "-Infinity": -Infinity }),
  },
  {
    id: "board/refuses-handles",
    requirement: "engine-board-17",
    title: "Rejects class instances, maps, sets and invalid dates unless they implement clone",
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
    title: "Rejects a value that contains itself",
    check: (subject) => assertUnstorable(subject, { "a cycle": cycle() }),
  },
  {
    id: "board/refuses-depth",
    requirement: "engine-board-17",
    title: "Rejects a value of more than 64 levels and accepts one of 64",
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
    title: "Accepts a value in which an object occurs twice without a cycle",
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
    title: "Validates the result of clone like any other value",
    check: (subject) => assertUnstorable(subject, { "a clone with a function": { clone: () => ({ f: () => {} }) } }),
  },
];
