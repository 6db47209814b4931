import type { MeasuredTokens } from "@switchyard/adapter-kit";

const FIELDS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;
/** Token counts by kind. */
export type ThreadTokens = Readonly<Record<(typeof FIELDS)[number], number>>;

const NONE: ThreadTokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function combine(left: ThreadTokens, right: ThreadTokens, by: (left: number, right: number) => number): ThreadTokens {
  const values = FIELDS.map((field) => [field, Math.max(0, by(left[field], right[field]))] as const);
  return { ...NONE, ...Object.fromEntries(values) };
}

/**
 * Computes the usage of a turn from totals that grow over the whole thread, including turns of earlier sessions. See
 * agent-adapter: usage.
 */
export class ThreadUsage {
  #seen: ThreadTokens | undefined;
  #turn: ThreadTokens = NONE;

  /**
   * Starts a thread. All usage of a new thread is counted. For a resumed thread, only usage after the resume is
   * counted.
   */
  begin({ isNew }: { readonly isNew: boolean }): void {
    this.#seen = isNew ? NONE : undefined;
  }

  /** Starts a turn of the thread. */
  beginTurn(): void {
    this.#turn = NONE;
  }

  /**
   * Accepts the thread's total usage and the usage of the last request. Returns the usage of the turn so far.
   * `undefined` if the total belongs to another turn or has not changed. When a turn is interrupted, `codex` sends the
   * same total again.
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
