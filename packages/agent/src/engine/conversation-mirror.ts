import { type Board, MAIN_CHANNEL } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import { turnToMessage } from "../conversation/turn-to-message.ts";
import { AGENT_TURNS } from "./agent-checkpoint.ts";
import { BoardTurns } from "./board-turns.ts";

/** Keeps the board equal to the conversation: its turns in a list variable, their messages in the main channel. */
export class ConversationMirror {
  readonly #turns: BoardTurns;

  /** Goes on behind the turns that are on the board. */
  constructor(board: Board, mirrored: number) {
    const onTurn = (turn: Turn): void => {
      const message = turnToMessage(turn);
      if (message !== undefined) board.appendChannelMessage(MAIN_CHANNEL, message);
    };
    this.#turns = new BoardTurns(board, { name: AGENT_TURNS.name, mirrored, onTurn });
  }

  /** Appends the turns that are new. Throws `board.invalid_value`. */
  mirror(turns: readonly Turn[]): void {
    this.#turns.mirror(turns);
  }
}
