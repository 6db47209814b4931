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
   * Ring buffer of the most recent calls. It is one longer than the longest loop pattern, so that the latest call can
   * be compared with the call one pattern length before it.
   */
  readonly #latest: ToolCallPart[] = [];
  /** Number of calls in the history. */
  #count = 0;
  /** Number (value of `#count`) of the most recent call that was found to equal no other call in the ring buffer. */
  #unlikeAt = Number.NEGATIVE_INFINITY;
  #window = 0;
  /**
   * Minimum number of calls that must repeat an earlier call to form a loop of `#window` calls. See
   * `fewestRepetitions`.
   */
  #fewest = fewestRepetitions(0);

  /** Tracks the tool calls of the given history. The history may grow. */
  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  /** Adds a tool call that was appended to the history. */
  add(call: ToolCallPart): void {
    this.#latest[this.#count % (LONGEST_PATTERN + 1)] = call;
    this.#count += 1;
  }

  /**
   * Applies `detectLoop` to the last `window` calls. Returns a text that identifies the pattern that they repeat.
   * `undefined` if there is none. See loop: §2.10.
   */
  findLoop(window: number): string | undefined {
    if (window !== this.#window) {
      this.#window = window;
      this.#fewest = fewestRepetitions(window);
    }
    // A loop ends with at least `#fewest` calls that each repeat an earlier call. The call at `#unlikeAt` repeats no
    // call, so there is no loop until at least `#fewest` calls have followed it.
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

  /** Returns whether the latest call may equal another call in the ring buffer. Only then can there be a loop. */
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
