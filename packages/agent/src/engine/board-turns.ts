import { type Board, type BoardKey, boardKey } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import type { Turn } from "../conversation/turn.ts";

const TURN: BoardKey<Turn> = boardKey("turn");

/** Where turns are kept. */
export interface BoardTurnsOptions {
  /** Name of the list variable. */
  readonly name: string;
  /** Turns that are on the board already. */
  readonly mirrored: number;
  /** Told of each turn that is new, as the board has it. */
  readonly onTurn?: ((turn: Turn) => void) | undefined;
}

/**
 * Keeps a list variable equal to the turns of a conversation. What is there already is never touched again, so that a
 * turn costs the same at the beginning and at the end.
 */
export class BoardTurns {
  readonly #board: Board;
  readonly #options: BoardTurnsOptions;
  // What a board has frozen is taken over by every other place on any board: each turn is copied once.
  readonly #freezer = createBoard();
  #mirrored: number;

  /** Goes on behind the turns that are on the board. */
  constructor(board: Board, options: BoardTurnsOptions) {
    this.#board = board;
    this.#options = options;
    this.#mirrored = options.mirrored;
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
    this.#board.appendSliceVar(this.#options.name, turn);
    this.#options.onTurn?.(turn);
  }
}
