import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/** Redacts a text that arrives in pieces. */
export interface LineRedactor {
  /** Takes a piece. Returns what can be shown by now: whole lines. */
  write(text: string): string;
  /** Returns what is left. */
  end(): string;
}

/** Maximum number of characters that are held back for the end of their line. */
const MAX_HELD_CHARS = 32 * 1024;
/** Blanks at which a line without an end may be cut; each is tried. */
const MAX_CUTS = 8;
const BLOCK = "-----BEGIN";
const BLOCK_END = /-----END[^\r\n]*-----/u;

/**
 * Creates a redactor for a stream, with further declared keys. A name and its value stand in one line, so lines are held
 * back until they end, and blocks such as private keys until they are complete. agent-runtime-package: secret
 * requirements.
 */
export function createLineRedactor(keys: readonly string[] = []): LineRedactor {
  const redactor = createRedactor(redactionRulesOf(keys));
  let held = "";

  function take(length: number): string {
    const text = held.slice(0, length);
    held = held.slice(length);
    return text === "" ? "" : redactor.text(text);
  }

  /** Where a line without an end can be cut: at a blank that no name and its value stand around. */
  function findCut(): number {
    const whole = redactor.text(held);
    let blank = held.lastIndexOf(" ", Math.floor(held.length / 2));
    for (let cut = 0; cut < MAX_CUTS && blank > 0; cut += 1) {
      const [head, tail] = [held.slice(0, blank + 1), held.slice(blank + 1)];
      if (redactor.text(head) + redactor.text(tail) === whole) return blank + 1;
      blank = held.lastIndexOf(" ", blank - 1);
    }
    return held.length;
  }

  return {
    write(text) {
      held += text;
      const shown = take(completeLength(held));
      return held.length <= MAX_HELD_CHARS ? shown : shown + take(findCut());
    },
    end: () => take(held.length),
  };
}

/** Length of the whole lines at the start of a text; a block that has begun ends them. */
function completeLength(text: string): number {
  const lines = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
  const block = text.lastIndexOf(BLOCK, lines);
  return block === -1 || BLOCK_END.test(text.slice(block, lines)) ? lines : Math.min(block, lines);
}
