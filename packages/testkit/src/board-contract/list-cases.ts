import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused } from "../contract/expectations.ts";
import type { BoardSubject } from "./board-subject.ts";

function isId(id: number): (item: unknown) => boolean {
  return (item) => typeof item === "object" && item !== null && "id" in item && item.id === id;
}

/** Conformance cases for board variables that contain lists: appending items to a list, and replacing an item. */
export const listCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/append-creates",
    requirement: "engine-board-11",
    title: "Creates a missing list on append, and appends to a list that was set",
    async check({ create }) {
      const board = await create();
      board.appendSliceVar("new", 1);
      board.appendSliceVar("new", { n: 2 });
      board.setVar("set", ["a"]);
      board.appendSliceVar("set", "b");
      board.appendSliceVar("set", null);
      assert.deepEqual(board.vars(), { new: [1, { n: 2 }], set: ["a", "b", null] });
    },
  },
  {
    id: "board/append-to-no-list",
    requirement: "engine-board-12",
    title: "Rejects appending to a variable that is not a list with class validation, and changes nothing",
    async check({ create }) {
      const board = await create();
      for (const value of ["text", 7, null, { 0: "a", length: 1 }, Uint8Array.of(1)]) {
        board.setVar("x", value);
        await assertRefused(() => board.appendSliceVar("x", 1), "validation", `appending to ${JSON.stringify(value)}`);
        assert.deepEqual(board.getVar("x"), value);
      }
    },
  },
  {
    id: "board/append-keeps-readers",
    requirement: "engine-board-16",
    title: "Does not extend a returned list when the board's list grows",
    async check({ create }) {
      const board = await create();
      board.appendSliceVar("x", 1);
      const read = board.getVar("x");
      board.appendSliceVar("x", 2);
      assert.deepEqual([read, board.getVar("x")], [[1], [1, 2]]);
    },
  },
  {
    id: "board/update-first",
    requirement: "engine-board-13",
    title: "Updates only the first matching item",
    async check({ create }) {
      const board = await create();
      for (const item of [{ id: 1 }, { id: 2, n: "a" }, { id: 2, n: "b" }]) board.appendSliceVar("x", item);
      board.updateSliceVarItem("x", isId(2), () => ({ id: 2, n: "new" }));
      assert.deepEqual(board.getVar("x"), [{ id: 1 }, { id: 2, n: "new" }, { id: 2, n: "b" }]);
    },
  },
  {
    id: "board/update-nothing",
    requirement: "engine-board-14",
    title: "Does nothing on update if the variable is missing, is not a list, or has no match",
    async check({ create }) {
      const board = await create();
      board.setVar("text", "words");
      board.setVar("list", [{ id: 1 }]);
      for (const name of ["missing", "text", "list"]) {
        board.updateSliceVarItem(name, isId(2), () => assert.fail(`an item of ${name} was updated`));
      }
      assert.deepEqual(board.vars(), { text: "words", list: [{ id: 1 }] });
    },
  },
  {
    id: "board/update-fails-whole",
    requirement: ["engine-board-13", "engine-board-17"],
    title: "Changes nothing if an update throws or returns a value that cannot be stored",
    async check({ create }) {
      const board = await create();
      board.setVar("x", [{ id: 1 }, { id: 2 }]);
      const failing = (): never => {
        throw new Error("no update");
      };
      assert.throws(() => board.updateSliceVarItem("x", isId(2), failing));
      await assertRefused(
        () => board.updateSliceVarItem("x", isId(2), () => () => {}),
        "validation",
        "updating an item to a function",
      );
      assert.deepEqual(board.getVar("x"), [{ id: 1 }, { id: 2 }]);
    },
  },
];
