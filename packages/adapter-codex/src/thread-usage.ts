import type { MeasuredTokens } from "@switchyard/adapter-kit";

const FIELDS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;
/** Tokens of every kind. */
export type ThreadTokens = Readonly<Record<(typeof FIELDS)[number], number>>;

const NONE: ThreadTokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function combine(left: ThreadTokens, right: ThreadTokens, by: (left: number, right: number) => number): ThreadTokens {
  const values = FIELDS.map((field) => [field, Math.max(0, by(left[field], right[field]))] as const);
  return { ...NONE, ...Object.fromEntries(values) };
}

/**
 * What a turn adds to totals that grow over a whole thread, with turns of earlier sessions in them. agent-adapter:
 * usage.
 */
export class ThreadUsage {
  #seen: ThreadTokens | undefined;
  #turn: ThreadTokens = NONE;

  /** Begins with a thread: of a new one everything counts, of a resumed one what is added from now on. */
  begin({ isNew }: { readonly isNew: boolean }): void {
    this.#seen = isNew ? NONE : undefined;
  }

  /** Begins a turn of the thread. */
  beginTurn(): void {
    this.#turn = NONE;
  }

  /**
   * Takes a total and what the last request added to it. Gives the tokens of the turn so far, where it is about this
   * turn and anything was added: the same total is told again when a turn is interrupted.
   */
  take(total: ThreadTokens, last: ThreadTokens, isThisTurn: boolean): MeasuredTokens | undefined {
    const before = this.#seen ?? (isThisTurn ? combine(total, last, (all, one) => all - one) : total);
    this.#seen = combine(total, before, Math.max);
    const added = combine(total, before, (now, earlier) => now - earlier);
    if (!isThisTurn || FIELDS.every((field) => added[field] === 0)) return undefined;
    this.#turn = combine(this.#turn, added, (sum, more) => sum + more);
    return this.#turn;
  }
}
