import type { ToolCallPart } from "@switchyard/contracts";
import { callSignature, mayBeEqual, type ReadCall, readArguments } from "./call-signature.ts";
import { detectLoop, LONGEST_PATTERN } from "./detect-loop.ts";

/**
 * The last tool calls of a conversation, for finding loops. It holds the calls as the history does; signatures are as
 * long as arguments, so there are none before the last calls are found to be alike. loop: §2.10.
 */
export class RecentCalls {
  #calls: ToolCallPart[] = [];
  #kept: number;
  /** The last ones with their arguments read, as far as they were asked about. */
  #last: readonly ReadCall[] = [];

  /** Keeps at least this many calls, and 256. */
  constructor(kept: number) {
    // Somebody may widen the window later.
    this.#kept = Math.max(kept, 256);
  }

  /** Takes the next call. */
  push(call: ToolCallPart): void {
    this.#calls.push(call);
    if (this.#calls.length > 2 * this.#kept) this.#calls = this.#calls.slice(-this.#kept);
  }

  /** Name of the pattern that the last `window` calls repeat, as `detectLoop` has it. loop: §2.10. */
  findLoop(window: number): string | undefined {
    this.#kept = Math.max(this.#kept, window);
    if (this.#calls.length < window || !this.#mayRepeat()) return undefined;
    return detectLoop(this.#calls.slice(-window).map(callSignature), window);
  }

  /** Whether the last call equals one that a pattern would have it equal. */
  #mayRepeat(): boolean {
    const last = this.#readLast();
    const newest = last.at(-1);
    for (const earlier of last) {
      if (newest !== undefined && earlier !== newest && mayBeEqual(earlier, newest)) return true;
    }
    return false;
  }

  #readLast(): readonly ReadCall[] {
    const last: ReadCall[] = [];
    for (const call of this.#calls.slice(-LONGEST_PATTERN - 1)) {
      const known = this.#last.find((read) => read.call === call);
      last.push(known ?? { call, values: readArguments(call) });
    }
    this.#last = last;
    return last;
  }
}
