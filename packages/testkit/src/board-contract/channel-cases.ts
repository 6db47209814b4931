import assert from "node:assert/strict";
import { MAIN_CHANNEL, textMessage } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import type { BoardSubject } from "./board-subject.ts";
import { tamper } from "./tamper.ts";

/** Conformance cases for message channels. */
export const channelCases: readonly CaseBody<BoardSubject>[] = [
  {
    id: "board/main-channel",
    requirement: "engine-board-1",
    title: "A new board has an empty main channel and nothing else",
    async check({ create }) {
      const board = await create();
      assert.deepEqual(board.channels(), { [MAIN_CHANNEL]: [] });
      assert.deepEqual(board.vars(), {});
    },
  },
  {
    id: "board/append-message",
    requirement: "engine-board-3",
    title: "Messages are appended in order to a channel that is made on demand",
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
    title: "A channel that a reader changes does not change on the board",
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
    title: "A message that its owner changes after appending it does not change on the board",
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
    title: "A missing channel reads as nothing and is not made by reading",
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
    title: "Setting a channel replaces its messages, and later changes of the list do not reach the board",
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
    title: "A copy of all channels is deep",
    async check({ create }) {
      const board = await create();
      board.appendChannelMessage("side", textMessage("user", "one"));
      tamper(board.channels());
      assert.deepEqual(board.channels(), { [MAIN_CHANNEL]: [], side: [textMessage("user", "one")] });
    },
  },
];
