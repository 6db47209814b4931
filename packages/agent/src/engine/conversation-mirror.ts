import { type Board, MAIN_CHANNEL } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import { turnToMessage } from "../conversation/turn-to-message.ts";
import { AGENT_TURNS } from "./agent-checkpoint.ts";
import { BoardTurns } from "./board-turns.ts";

/**
 * Copies the conversation to the run's board (shared run state): turns to a list, and messages to the board's message
 * list, called the main channel.
 */
export class ConversationMirror {
  readonly #turns: BoardTurns;

  /**
   * Creates a mirror that copies turns to the board (shared run state). The first `mirrored` turns of the conversation
   * are already there.
   */
  constructor(board: Board, mirrored: number) {
    const onTurn = (turn: Turn): void => {
      const message = turnToMessage(turn);
      if (message !== undefined) board.appendChannelMessage(MAIN_CHANNEL, message);
    };
    this.#turns = new BoardTurns(board, { name: AGENT_TURNS.name, mirrored, onTurn });
  }

  /** Appends new turns to the board (shared run state). Throws `board.invalid_value`. */
  mirror(turns: readonly Turn[]): void {
    this.#turns.mirror(turns);
  }
}
