import type { ToolCallPart } from "@switchyard/contracts";
import { callSignature } from "./call-signature.ts";
import { detectLoop, LONGEST_PATTERN } from "./detect-loop.ts";

/** What of the last calls was put into a form that can be compared. */
interface SignedCalls {
  readonly calls: readonly ToolCallPart[];
  readonly signatures: readonly string[];
}

/**
 * The last tool calls of a conversation, for finding loops. It holds the calls as the history does; signatures are as
 * long as arguments, so there are only those without which nobody could tell that there is no loop. loop: §2.10.
 */
export class RecentCalls {
  #calls: ToolCallPart[] = [];
  #kept: number;
  #last: SignedCalls = { calls: [], signatures: [] };

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
    const signatures = this.#signLast();
    return signatures.indexOf(signatures.at(-1) ?? "") < signatures.length - 1;
  }

  #signLast(): readonly string[] {
    const calls = this.#calls.slice(-LONGEST_PATTERN - 1);
    const known = this.#last;
    const signatures = calls.map((call) => known.signatures[known.calls.indexOf(call)] ?? callSignature(call));
    this.#last = { calls, signatures };
    return signatures;
  }
}
