import { type Board, type BoardKey, boardKey, MAIN_CHANNEL } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import type { Turn } from "../session/turn.ts";
import { turnToMessage } from "../session/turn-to-message.ts";
import { AGENT_TURNS } from "./agent-checkpoint.ts";

const TURN: BoardKey<Turn> = boardKey("turn");

/**
 * Keeps the board equal to the conversation: its turns in a list variable, their messages in the main channel. What is
 * there already is never touched again, so that a turn costs the same at the beginning and at the end.
 */
export class ConversationMirror {
  readonly #board: Board;
  // What a board has frozen is taken over by every other place on any board: each turn is copied once.
  readonly #freezer = createBoard();
  #mirrored: number;

  /** Goes on behind the turns that are on the board. */
  constructor(board: Board, mirrored: number) {
    this.#board = board;
    this.#mirrored = mirrored;
  }

  /** Appends the turns that are new. Throws `board.invalid_value`. */
  mirror(turns: readonly Turn[]): void {
    for (; this.#mirrored < turns.length; this.#mirrored += 1) {
      const turn = turns[this.#mirrored];
      if (turn !== undefined) this.#append(this.#freeze(turn));
    }
  }

  #freeze(turn: Turn): Turn {
    this.#freezer.set(TURN, turn);
    return this.#freezer.get(TURN) ?? turn;
  }

  #append(turn: Turn): void {
    const message = turnToMessage(turn);
    this.#board.appendSliceVar(AGENT_TURNS.name, turn);
    if (message !== undefined) this.#board.appendChannelMessage(MAIN_CHANNEL, message);
  }
}
