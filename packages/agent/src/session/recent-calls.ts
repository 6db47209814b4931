import type { ToolCallPart } from "@switchyard/contracts";
import { callSignature, mayBeEqual, readArguments } from "./call-signature.ts";
import { detectLoop, fewestRepetitions, LONGEST_PATTERN } from "./detect-loop.ts";

/**
 * The last tool calls of a conversation, for finding loops. It holds the calls as the history does; signatures are as
 * long as arguments, so there are none before the last calls are found to be alike. loop: §2.10.
 */
export class RecentCalls {
  #calls: ToolCallPart[] = [];
  #kept: number;
  #window = 0;
  /** Of that window: `fewestRepetitions`. */
  #fewest = fewestRepetitions(0);
  /** Calls since one that was compared and is unlike those before it, that one included. */
  #sinceUnlike = Number.POSITIVE_INFINITY;

  /** Keeps at least this many calls, and 256. */
  constructor(kept: number) {
    // Somebody may widen the window later.
    this.#kept = Math.max(kept, 256);
  }

  /** Takes the next call. */
  push(call: ToolCallPart): void {
    this.#calls.push(call);
    this.#sinceUnlike += 1;
    if (this.#calls.length > 2 * this.#kept) this.#calls = this.#calls.slice(-this.#kept);
  }

  /** Name of the pattern that the last `window` calls repeat, as `detectLoop` has it. loop: §2.10. */
  findLoop(window: number): string | undefined {
    if (window !== this.#window) this.#look(window);
    // A call unlike those before it rules loops out for as long as a pattern would have to repeat it: most calls need
    // not be compared at all.
    if (this.#calls.length < window || this.#sinceUnlike <= this.#fewest) return undefined;
    if (this.#mayRepeat()) return detectLoop(this.#calls.slice(-window).map(callSignature), window);
    this.#sinceUnlike = 1;
    return undefined;
  }

  #look(window: number): void {
    this.#window = window;
    this.#fewest = fewestRepetitions(window);
    this.#kept = Math.max(this.#kept, window);
  }

  /** Whether the last call equals one that a pattern would have it equal. */
  #mayRepeat(): boolean {
    const newest = this.#calls.at(-1);
    if (newest === undefined) return false;
    const values = readArguments(newest);
    for (let back = 1; back <= LONGEST_PATTERN; back += 1) {
      const call = this.#calls.at(-1 - back);
      if (call === undefined) break;
      if (mayBeEqual({ call, values: readArguments(call) }, { call: newest, values })) return true;
    }
    return false;
  }
}
