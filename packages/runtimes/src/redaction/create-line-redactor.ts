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
  const rules = redactionRulesOf(keys);
  const redactor = createRedactor(rules);
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
      const shown = take(completeLength(held, rules.isSecretWord));
      return held.length <= MAX_HELD_CHARS ? shown : shown + take(findCut());
    },
    end: () => take(held.length),
  };
}

/** The last line, and an empty one after it, if it ends with a name whose value may follow on the next line. */
const NAME_BEFORE_VALUE =
  /[^\r\n]*?(?<name>[A-Za-z_][\w.-]{0,80})["']?[ \t]*(?::=|=>|->|[:=])?[ \t]*(?:[|>][+-]?)?[ \t]*(?:\r?\n|\r)(?:[ \t]*(?:\r?\n|\r))?$/u;
/** Characters at the end of a text in which such a line is looked for. */
const MAX_NAME_LINE = 256;

/**
 * Length of the whole lines at the start of a text. A block that has begun ends them, and so does a line that may announce
 * a value on the next one.
 */
function completeLength(text: string, announces: (name: string) => boolean): number {
  const ended = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
  const from = Math.max(0, ended - MAX_NAME_LINE);
  const line = NAME_BEFORE_VALUE.exec(text.slice(from, ended));
  const lines = line !== null && announces(line.groups?.["name"] ?? "") ? from + line.index : ended;
  const block = text.lastIndexOf(BLOCK, lines);
  return block === -1 || BLOCK_END.test(text.slice(block, lines)) ? lines : Math.min(block, lines);
}
