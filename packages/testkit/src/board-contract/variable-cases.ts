import assert from "node:assert/strict";
import { boardKey } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import type { BoardSubject } from "./board-subject.ts";
import { tamper } from "./tamper.ts";

/** Conformance cases for reading, setting and copying the variables of a board (the state of a run). */
export const variableCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/variable-exists",
    requirement: "engine-board-8",
    title: "Reports whether a variable exists, also if its value is null, false, 0 or empty",
    async check({ create }) {
      const board = await create();
      assert.deepEqual([board.hasVar("x"), board.getVar("x")], [false, undefined]);
      for (const value of [null, false, 0, "", []]) {
        board.setVar("x", value);
        assert.equal(board.hasVar("x"), true, `a variable set to ${JSON.stringify(value)} does not exist`);
        assert.deepEqual(board.getVar("x"), value);
      }
    },
  },
  {
    id: "board/variable-as-text",
    requirement: "engine-board-9",
    title: "Returns an empty string when a missing or non-string variable is read as text",
    async check({ create }) {
      const board = await create();
      board.setVar("text", "words");
      assert.equal(board.getVarString("text"), "words");
      assert.equal(board.getVarString("missing"), "");
      for (const value of [7, true, null, ["words"], { text: "words" }]) {
        board.setVar("other", value);
        assert.equal(board.getVarString("other"), "", `${JSON.stringify(value)} was returned as a text`);
      }
    },
  },
  {
    id: "board/typed-key",
    requirement: "engine-board-10",
    title: "Reads and sets the variable of a typed key, and returns undefined if it is missing",
    async check({ create }) {
      const board = await create();
      const key = boardKey<{ n: number }>("counter");
      assert.equal(board.get(key), undefined);
      board.set(key, { n: 1 });
      assert.deepEqual([board.get(key), board.getVar("counter")], [{ n: 1 }, { n: 1 }]);
    },
  },
  {
    id: "board/delete-variable",
    requirement: "engine-board-8",
    title: "Removes a deleted variable, and does nothing when a missing one is deleted",
    async check({ create }) {
      const board = await create();
      board.setVar("x", 1);
      board.setVar("y", 2);
      board.deleteVar("x");
      board.deleteVar("never");
      assert.deepEqual([board.hasVar("x"), board.vars()], [false, { y: 2 }]);
    },
  },
  {
    id: "board/reserved-names",
    requirement: "engine-board-2",
    title: "Stores names that begin with two underscores like all others",
    async check({ create }) {
      const board = await create();
      board.setVar("__engine", { n: 1 });
      board.appendChannelMessage("__engine", { role: "user", parts: [] });
      const restored = await create(board.snapshot());
      assert.deepEqual(restored.getVar("__engine"), { n: 1 });
      assert.equal(restored.channel("__engine").length, 1);
    },
  },
  {
    id: "board/odd-names",
    requirement: ["engine-board-8", "engine-board-snapshot-2"],
    title: "Accepts any text as a variable name, including `__proto__`, `constructor` and the empty string",
    async check({ create }) {
      const board = await create();
      const names = ["", "__proto__", "constructor", "toString", "a.b", "\ud800", "名"];
      for (const name of names)
        assert.equal(board.hasVar(name), false, `${JSON.stringify(name)} exists on a new board`);
      for (const name of names) board.setVar(name, { name });
      const restored = await create(board.snapshot());
      for (const name of names) assert.deepEqual(restored.getVar(name), { name }, `variable ${JSON.stringify(name)}`);
      assert.deepEqual(Object.keys(restored.vars()).sort(), [...names].sort());
    },
  },
  {
    id: "board/odd-fields",
    requirement: "engine-board-16",
    title: "Accepts any text as a property name in a value, including `__proto__`",
    async check({ create }) {
      const board = await create();
      board.setVar("x", JSON.parse('{"__proto__": {"n": 1}, "": 2, "constructor": 3}'));
      const restored = await create(board.snapshot());
      for (const value of [board.getVar("x"), restored.getVar("x")]) {
        assert.equal(JSON.stringify(value), '{"__proto__":{"n":1},"":2,"constructor":3}');
      }
    },
  },
  {
    id: "board/variables-map",
    requirement: "engine-board-15",
    title: "Does not change when a caller changes the returned map of variables",
    async check({ create }) {
      const board = await create();
      board.setVar("x", { n: 1 });
      tamper(board.vars());
      assert.deepEqual(board.vars(), { x: { n: 1 } });
    },
  },
  {
    id: "board/copy-in",
    requirement: "engine-board-16",
    title: "Does not change when the caller changes a value after setting it",
    async check({ create }) {
      const board = await create();
      const value = { list: [{ n: 1 }] };
      board.setVar("x", value);
      board.appendSliceVar("list", value);
      tamper(value);
      assert.deepEqual(board.vars(), { x: { list: [{ n: 1 }] }, list: [{ list: [{ n: 1 }] }] });
    },
  },
  {
    id: "board/copy-out",
    requirement: "engine-board-16",
    title: "Does not change when a reader changes a returned value at any level",
    async check({ create }) {
      const board = await create();
      board.setVar("x", { list: [{ n: 1 }] });
      board.appendSliceVar("list", { n: 1 });
      tamper(board.getVar("x"));
      tamper(board.getVar("list"));
      tamper(board.vars());
      assert.deepEqual(board.vars(), { x: { list: [{ n: 1 }] }, list: [{ n: 1 }] });
    },
  },
  {
    id: "board/dates-and-bytes",
    requirement: ["engine-board-16", "engine-board-17"],
    title: "Preserves dates and bytes, and copies them when they are set and read",
    async check({ create }) {
      const board = await create();
      const value = { at: new Date(1_000), bytes: Uint8Array.of(1, 2, 255) };
      board.setVar("x", value);
      tamper(value);
      tamper(board.getVar("x"));
      tamper((await create(board.snapshot())).getVar("x"));
      assert.deepEqual(board.getVar("x"), { at: new Date(1_000), bytes: Uint8Array.of(1, 2, 255) });
    },
  },
  {
    id: "board/cloneable",
    requirement: ["engine-board-17", "engine-board-snapshot-3"],
    title: "Stores the result of clone for a value that implements it",
    async check({ create }) {
      const board = await create();
      class Counter {
        n = 1;
        clone(): unknown {
          return { counted: this.n };
        }
      }
      const counter = new Counter();
      board.setVar("x", { counter });
      counter.n = 2;
      assert.deepEqual((await create(board.snapshot())).getVar("x"), { counter: { counted: 1 } });
    },
  },
  {
    id: "board/independent",
    requirement: "engine-board-18",
    title: "Shares no data between two boards",
    async check({ create }) {
      const [first, second] = [await create(), await create()];
      first.setVar("x", 1);
      first.appendChannelMessage("c", { role: "user", parts: [] });
      assert.deepEqual([second.vars(), second.channel("c")], [{}, []]);
    },
  },
];
