import type { ToolCallPart } from "@switchyard/contracts";
import { callSignature, mayBeEqual, readArguments } from "./call-signature.ts";
import { detectLoop, fewestRepetitions, LONGEST_PATTERN } from "./detect-loop.ts";
import type { Turn } from "./turn.ts";

/**
 * Detects loops in the most recent tool calls. Signatures can be as long as the arguments, so they are computed only if
 * recent calls look alike. See loop: §2.10.
 */
export class RecentCalls {
  readonly #turns: readonly Turn[];
  /**
   * Ring buffer of the latest call and the calls before it. Its size is the length of the longest loop pattern plus
   * one.
   */
  readonly #latest: ToolCallPart[] = [];
  /** Number of calls in the history. */
  #count = 0;
  /** Value of `#count` after the latest call that differed from all other calls in the ring buffer was added. */
  #unlikeAt = Number.NEGATIVE_INFINITY;
  #window = 0;
  /** Result of `fewestRepetitions` for the current window, cached. */
  #fewest = fewestRepetitions(0);

  /** Tracks the tool calls of the given history. The history may grow. */
  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  /** Records a tool call that was appended to the history. */
  add(call: ToolCallPart): void {
    this.#latest[this.#count % (LONGEST_PATTERN + 1)] = call;
    this.#count += 1;
  }

  /**
   * Returns a text that identifies the pattern that the last `window` calls repeat, like `detectLoop`. See loop: §2.10.
   */
  findLoop(window: number): string | undefined {
    if (window !== this.#window) {
      this.#window = window;
      this.#fewest = fewestRepetitions(window);
    }
    // After a call that differs from earlier calls, a loop is possible only when `#fewest` further calls have been made.
    if (this.#count < window || this.#count - this.#unlikeAt < this.#fewest) return undefined;
    if (this.#mayRepeat()) return detectLoop(this.#last(window).map(callSignature), window);
    this.#unlikeAt = this.#count;
    return undefined;
  }

  /** Returns the last calls, oldest first. */
  #last(count: number): ToolCallPart[] {
    const calls: ToolCallPart[] = [];
    for (let index = this.#turns.length - 1; index >= 0 && calls.length < count; index -= 1) {
      const turn = this.#turns[index];
      if (turn?.type === "assistant") calls.push(...turn.toolCalls.toReversed());
    }
    return calls.slice(0, count).reverse();
  }

  /** Returns whether the latest call may equal an earlier call in the ring buffer, which would indicate a loop. */
  #mayRepeat(): boolean {
    const newest = this.#latest[(this.#count - 1) % (LONGEST_PATTERN + 1)];
    if (newest === undefined) return false;
    const values = readArguments(newest);
    for (const call of this.#latest) {
      if (call !== newest && call.name === newest.name && mayBeEqual(values, readArguments(call))) return true;
    }
    return false;
  }
}
