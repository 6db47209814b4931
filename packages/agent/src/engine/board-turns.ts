import { type Board, type BoardKey, boardKey } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import type { Turn } from "../conversation/turn.ts";

const TURN: BoardKey<Turn> = boardKey("turn");

/** Options for `BoardTurns`. */
export interface BoardTurnsOptions {
  /** Key of the list of turns on the board (shared run state). */
  readonly name: string;
  /** Number of the conversation's turns that are already on the run's board (shared run state). */
  readonly mirrored: number;
  /** Called with each new turn, in the format in which it is stored on the board (shared run state). */
  readonly onTurn?: ((turn: Turn) => void) | undefined;
}

/**
 * Appends the turns of a conversation to a list on the board (shared run state). Existing entries are never copied
 * again, so a turn costs the same in short and long sessions.
 */
export class BoardTurns {
  readonly #board: Board;
  readonly #options: BoardTurnsOptions;
  // Boards share frozen values without copying them. This board exists only to copy and freeze each turn once.
  readonly #freezer = createBoard();
  #mirrored: number;

  /** Creates a writer that continues after the turns that are already on the board (shared run state). */
  constructor(board: Board, options: BoardTurnsOptions) {
    this.#board = board;
    this.#options = options;
    this.#mirrored = options.mirrored;
  }

  /** Appends new turns to the board (shared run state). Throws `board.invalid_value`. */
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
    this.#board.appendSliceVar(this.#options.name, turn);
    this.#options.onTurn?.(turn);
  }
}
