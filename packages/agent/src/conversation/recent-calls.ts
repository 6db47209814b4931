import type { ToolCallPart } from "@switchyard/contracts";
import { callSignature, mayBeEqual, readArguments } from "./call-signature.ts";
import { detectLoop, fewestRepetitions, LONGEST_PATTERN } from "./detect-loop.ts";
import type { Turn } from "./turn.ts";

/**
 * Detects loops in the most recent tool calls. Signatures can be as long as the arguments, so they are computed only if
 * recent calls look alike. loop: §2.10.
 */
export class RecentCalls {
  readonly #turns: readonly Turn[];
  /** Ring buffer of the last call, and as many calls before it as the longest loop pattern contains. */
  readonly #latest: ToolCallPart[] = [];
  /** Number of calls in the history. */
  #count = 0;
  /** Value of `#count` when a call was last found to differ from all other calls in the ring buffer. */
  #unlikeAt = Number.NEGATIVE_INFINITY;
  #window = 0;
  /** `fewestRepetitions` of the current window. */
  #fewest = fewestRepetitions(0);

  /** Tracks the calls of the given history, which may grow. */
  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  /** Records a call that was appended to the history. */
  add(call: ToolCallPart): void {
    this.#latest[this.#count % (LONGEST_PATTERN + 1)] = call;
    this.#count += 1;
  }

  /** Returns the name of the pattern that the last `window` calls repeat, like `detectLoop`. loop: §2.10. */
  findLoop(window: number): string | undefined {
    if (window !== this.#window) {
      this.#window = window;
      this.#fewest = fewestRepetitions(window);
    }
    // A call that differs from the calls before it rules out any loop until at least `#fewest` further calls have been
    // made. Most calls are therefore never compared.
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

  /** Returns whether the last call may equal one of the calls that it would repeat in a pattern. */
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
