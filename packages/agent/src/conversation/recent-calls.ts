import type { ToolCallPart } from "@switchyard/contracts";
import { callSignature, mayBeEqual, readArguments } from "./call-signature.ts";
import { detectLoop, fewestRepetitions, LONGEST_PATTERN } from "./detect-loop.ts";
import type { Turn } from "./turn.ts";

/**
 * Finds loops among the last tool calls of a history. Signatures are as long as arguments, so there are none before the
 * last calls are found to be alike. loop: §2.10.
 */
export class RecentCalls {
  readonly #turns: readonly Turn[];
  /** The last call and those that a pattern would have it equal, in any order. */
  readonly #latest: ToolCallPart[] = [];
  /** Calls in the history. */
  #count = 0;
  /** How many of them there were with the last one that was compared and is unlike those before it. */
  #unlikeAt = Number.NEGATIVE_INFINITY;
  #window = 0;
  /** Of that window: `fewestRepetitions`. */
  #fewest = fewestRepetitions(0);

  /** Looks at the calls of this history as it grows. */
  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  /** Takes note of a call that was added to the history. */
  add(call: ToolCallPart): void {
    this.#latest[this.#count % (LONGEST_PATTERN + 1)] = call;
    this.#count += 1;
  }

  /** Name of the pattern that the last `window` calls repeat, as `detectLoop` has it. loop: §2.10. */
  findLoop(window: number): string | undefined {
    if (window !== this.#window) {
      this.#window = window;
      this.#fewest = fewestRepetitions(window);
    }
    // A call unlike those before it rules loops out for as long as a pattern would have to repeat it: most calls need
    // not be compared at all.
    if (this.#count < window || this.#count - this.#unlikeAt < this.#fewest) return undefined;
    if (this.#mayRepeat()) return detectLoop(this.#last(window).map(callSignature), window);
    this.#unlikeAt = this.#count;
    return undefined;
  }

  /** The last calls, oldest first. */
  #last(count: number): ToolCallPart[] {
    const calls: ToolCallPart[] = [];
    for (let index = this.#turns.length - 1; index >= 0 && calls.length < count; index -= 1) {
      const turn = this.#turns[index];
      if (turn?.type === "assistant") calls.push(...turn.toolCalls.toReversed());
    }
    return calls.slice(0, count).reverse();
  }

  /** Whether the last call may equal one that a pattern would have it equal. */
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
