import assert from "node:assert/strict";
import { MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import type { BoardSubject } from "./board-subject.ts";
import { tamper } from "./tamper.ts";

/** Conformance cases for the message channels of a board (the state of a run). */
export const channelCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/main-channel",
    requirement: "engine-board-1",
    title: "Creates a board with an empty main channel and nothing else",
    async check({ create }) {
      const board = await create();
      assert.deepEqual(board.channels(), { [MAIN_CHANNEL]: [] });
      assert.deepEqual(board.vars(), {});
    },
  },
  {
    id: "board/append-message",
    requirement: "engine-board-3",
    title: "Appends messages in order, and creates the channel on demand",
    async check({ create }) {
      const board = await create();
      for (const text of ["one", "two"]) board.appendChannelMessage("side", textMessage("user", text));
      board.appendChannelMessage(MAIN_CHANNEL, textMessage("assistant", "three"));
      assert.deepEqual(board.channels(), {
        [MAIN_CHANNEL]: [textMessage("assistant", "three")],
        side: [textMessage("user", "one"), textMessage("user", "two")],
      });
    },
  },
  {
    id: "board/channel-copy-out",
    requirement: "engine-board-4",
    title: "Does not change when a reader changes a returned channel",
    async check({ create }) {
      const board = await create();
      board.appendChannelMessage("side", textMessage("user", "one"));
      const read = board.channel("side");
      tamper(read);
      board.appendChannelMessage("side", textMessage("user", "two"));
      assert.deepEqual(board.channel("side"), [textMessage("user", "one"), textMessage("user", "two")]);
    },
  },
  {
    id: "board/message-copy-in",
    requirement: "engine-board-6",
    title: "Does not change when the caller changes a message after appending it",
    async check({ create }) {
      const board = await create();
      const message = textMessage("user", "one");
      board.appendChannelMessage("side", message);
      tamper(message);
      assert.deepEqual(board.channel("side"), [textMessage("user", "one")]);
    },
  },
  {
    id: "board/empty-channel",
    requirement: "engine-board-5",
    title: "Returns an empty list for a missing channel without creating it",
    async check({ create }) {
      const board = await create();
      assert.equal(board.channel("never").length, 0);
      assert.equal(board.channel("constructor").length, 0);
      assert.deepEqual(Object.keys(board.channels()), [MAIN_CHANNEL]);
    },
  },
  {
    id: "board/set-channel",
    requirement: "engine-board-6",
    title: "Replaces the messages of a channel, unaffected by later changes of the passed list",
    async check({ create }) {
      const board = await create();
      board.appendChannelMessage("side", textMessage("user", "old"));
      const messages = [textMessage("user", "new")];
      board.setChannel("side", messages);
      messages.push(textMessage("user", "late"));
      tamper(messages);
      assert.deepEqual(board.channel("side"), [textMessage("user", "new")]);
    },
  },
  {
    id: "board/channels-copy",
    requirement: "engine-board-7",
    title: "Returns a deep copy of all channels",
    async check({ create }) {
      const board = await create();
      board.appendChannelMessage("side", textMessage("user", "one"));
      tamper(board.channels());
      assert.deepEqual(board.channels(), { [MAIN_CHANNEL]: [], side: [textMessage("user", "one")] });
    },
  },
];
