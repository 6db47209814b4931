import assert from "node:assert/strict";
import { type Board, type BoardSnapshot, MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefused } from "../contract/expectations.ts";
import type { BoardSubject } from "./board-subject.ts";
import { tamper } from "./tamper.ts";

function fill(board: Board): void {
  board.setVar("x", { n: 1, at: new Date(5) });
  board.appendSliceVar("list", { id: 1 });
  board.appendSliceVar("list", { id: 2 });
  board.appendChannelMessage(MAIN_CHANNEL, textMessage("user", "one"));
  board.appendChannelMessage("side", textMessage("user", "two"));
}

function change(board: Board): void {
  board.setVar("x", { n: 2 });
  board.setVar("new", true);
  board.appendSliceVar("list", { id: 3 });
  board.updateSliceVarItem(
    "list",
    () => true,
    () => ({ id: 9 }),
  );
  board.appendChannelMessage(MAIN_CHANNEL, textMessage("user", "later"));
  board.setChannel("side", []);
  board.appendChannelMessage("third", textMessage("user", "later"));
}

const FILLED: BoardSnapshot = {
  vars: { x: { n: 1, at: new Date(5) }, list: [{ id: 1 }, { id: 2 }] },
  channels: { [MAIN_CHANNEL]: [textMessage("user", "one")], side: [textMessage("user", "two")] },
};

function stateOf(board: Board): BoardSnapshot {
  return { vars: board.vars(), channels: board.channels() };
}

function assertState(found: BoardSnapshot, expected: BoardSnapshot, message?: string): void {
  assert.deepEqual({ vars: found.vars, channels: found.channels }, expected, message);
}

/** Conformance cases for snapshots of boards (run states in memory), and for restoring boards from snapshots. */
export const snapshotCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/snapshot-whole",
    requirement: "engine-board-snapshot-1",
    title: "Includes variables and all existing channels in every snapshot",
    async check({ create }) {
      const board = await create();
      assert.deepEqual(board.snapshot().vars, {});
      fill(board);
      assertState(board.snapshot(), FILLED);
    },
  },
  {
    id: "board/snapshot-stays",
    requirement: "engine-board-snapshot-2",
    title: "Does not change a snapshot when the board changes, whether or not the snapshot was read before",
    async check({ create }) {
      const board = await create();
      fill(board);
      const seen = board.snapshot();
      assertState(seen, FILLED);
      change(board);
      board.deleteVar("x");
      assertState(seen, FILLED);
      const other = await create();
      fill(other);
      const unseen = other.snapshot();
      change(other);
      assertState(unseen, FILLED);
    },
  },
  {
    id: "board/snapshot-tampered",
    requirement: ["engine-board-snapshot-2", "engine-board-snapshot-9"],
    title: "Does not change any board when a caller modifies a snapshot",
    async check({ create }) {
      const board = await create();
      fill(board);
      const snapshot = board.snapshot();
      const restored = await create(snapshot);
      tamper(snapshot.vars);
      tamper(snapshot.channels);
      assertState(stateOf(board), FILLED, "the original board");
      assertState(stateOf(restored), FILLED, "the restored board");
    },
  },
  {
    id: "board/snapshot-json",
    requirement: "engine-board-snapshot-4",
    title: "Preserves a snapshot of plain data in a JSON round trip",
    async check({ create }) {
      const board = await create();
      fill(board);
      board.setVar("x", { n: 1.5, text: "\u2028\ud83d\ude00", none: null, list: [[]] });
      const before = stateOf(board);
      const text = JSON.stringify(board.snapshot());
      const restored = await create(JSON.parse(text));
      assertState(stateOf(restored), before);
    },
  },
  {
    id: "board/restore-nothing",
    requirement: "engine-board-snapshot-5",
    title: "Creates an empty board if no snapshot is given",
    async check({ create }) {
      assertState(stateOf(await create(undefined)), { vars: {}, channels: { [MAIN_CHANNEL]: [] } });
    },
  },
  {
    id: "board/restore-replaces",
    requirement: "engine-board-snapshot-6",
    title: "Replaces the complete state on restore, and removes data that the snapshot lacks",
    async check({ create }) {
      const board = await create();
      fill(board);
      const snapshot = board.snapshot();
      change(board);
      board.restoreFrom(snapshot);
      assertState(stateOf(board), FILLED);
    },
  },
  {
    id: "board/restore-back-and-forth",
    requirement: "engine-board-snapshot-6",
    title: "Restores earlier and later snapshots any number of times",
    async check({ create }) {
      const board = await create();
      fill(board);
      const earlier = board.snapshot();
      change(board);
      const [later, changed] = [board.snapshot(), structuredClone(stateOf(board))];
      for (let round = 0; round < 2; round += 1) {
        board.restoreFrom(earlier);
        assertState(stateOf(board), FILLED);
        board.restoreFrom(later);
        assertState(stateOf(board), changed);
      }
    },
  },
  {
    id: "board/restore-from-nothing",
    requirement: "engine-board-snapshot-7",
    title: "Changes nothing when it is restored from no snapshot",
    async check({ create }) {
      const board = await create();
      fill(board);
      board.restoreFrom(undefined);
      assertState(stateOf(board), FILLED);
    },
  },
  {
    id: "board/restore-main-channel",
    requirement: "engine-board-snapshot-8",
    title: "Has only the main channel after a restore from a snapshot without channels",
    async check({ create }) {
      const board = await create();
      fill(board);
      board.restoreFrom({ vars: { y: 1 } });
      for (const restored of [board, await create({ vars: { y: 1 } })]) {
        assertState(stateOf(restored), { vars: { y: 1 }, channels: { [MAIN_CHANNEL]: [] } });
      }
    },
  },
  {
    id: "board/restored-apart",
    requirement: "engine-board-snapshot-9",
    title: "Changes neither the snapshot nor other boards restored from it when a restored board changes",
    async check({ create }) {
      const board = await create();
      fill(board);
      const snapshot = board.snapshot();
      const [first, second] = [await create(snapshot), await create(snapshot)];
      change(first);
      assertState(stateOf(second), FILLED, "the other board");
      assertState(stateOf(board), FILLED, "the board that the snapshot was taken from");
      assertState(snapshot, FILLED, "the snapshot");
    },
  },
  {
    id: "board/foreign-snapshot-copied",
    requirement: ["engine-board-16", "engine-board-snapshot-9"],
    title: "Copies a snapshot that did not come from a board, so that its owner cannot change the board",
    async check({ create }) {
      const foreign = structuredClone(FILLED);
      const board = await create(foreign);
      tamper(foreign);
      assertState(stateOf(board), FILLED);
    },
  },
  {
    id: "board/foreign-snapshot-checked",
    requirement: "engine-board-17",
    title: "Rejects a snapshot with an invalid value and leaves the board unchanged",
    async check({ create }) {
      const board = await create();
      fill(board);
      const foreign: BoardSnapshot = { vars: { fine: 1, broken: [() => {}] } };
      await assertRefused(() => board.restoreFrom(foreign), "validation", "a snapshot with a function");
      await assertRefused(() => create(foreign), "validation", "a board from a snapshot with a function");
      assertState(stateOf(board), FILLED);
    },
  },
];
