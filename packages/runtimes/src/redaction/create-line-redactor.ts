import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/** Redacts a text stream. */
export interface LineRedactor {
  /** Adds a piece of the stream's text. Returns the lines that are now complete, redacted. */
  write(text: string): string;
  /** Returns the remaining text. */
  end(): string;
}

/** Maximum number of characters that are buffered while waiting for the end of a line. A longer line is split. */
const MAX_BUFFERED_CHARS = 32 * 1024;
/** Maximum number of spaces that are tried as a split point if a line is too long. */
const MAX_CUTS = 8;
const BLOCK = "-----BEGIN";
const BLOCK_END = /-----END[^\r\n]*-----/u;

/**
 * Creates a redactor for a text stream. `keys` are additional names whose values are redacted. Lines are buffered until
 * they are complete, because a name and its value must be seen together. Blocks such as private keys are buffered until
 * they are complete too. See agent-runtime-package: secret requirements.
 */
export function createLineRedactor(keys: readonly string[] = []): LineRedactor {
  const rules = redactionRulesOf(keys);
  const redactor = createRedactor(rules);
  let buffered = "";

  function take(length: number): string {
    const text = buffered.slice(0, length);
    buffered = buffered.slice(length);
    return text === "" ? "" : redactor.text(text);
  }

  /**
   * Returns the index at which a line that is too long can be split: a space that does not separate a name from its
   * value.
   */
  function findCut(): number {
    const redacted = redactor.text(buffered);
    let blank = buffered.lastIndexOf(" ", Math.floor(buffered.length / 2));
    for (let cut = 0; cut < MAX_CUTS && blank > 0; cut += 1) {
      const [head, tail] = [buffered.slice(0, blank + 1), buffered.slice(blank + 1)];
      if (redactor.text(head) + redactor.text(tail) === redacted) return blank + 1;
      blank = buffered.lastIndexOf(" ", blank - 1);
    }
    return buffered.length;
  }

  return {
    write(text) {
      buffered += text;
      const shown = take(completeLength(buffered, rules.isSecretWord));
      return buffered.length <= MAX_BUFFERED_CHARS ? shown : shown + take(findCut());
    },
    end: () => take(buffered.length),
  };
}

/**
 * Matches a text whose last line ends with the name of a secret, so that the value may be on the next line. An empty
 * line may follow the name.
 */
const NAME_BEFORE_VALUE =
  /[^\r\n]*?(?<name>[A-Za-z_][\w.-]{0,80})["']?[ \t]*(?::=|=>|->|[:=])?[ \t]*(?:[|>][+-]?)?[ \t]*(?:\r?\n|\r)(?:[ \t]*(?:\r?\n|\r))?$/u;
/** Number of characters at the end of a text that are searched for the name of a secret whose value may follow. */
const MAX_NAME_LINE = 256;

/**
 * Returns the length of the text that can be redacted now. It ends before an incomplete line, before an incomplete
 * block, and before a line with a name whose value may be on the next line.
 */
function completeLength(text: string, announces: (name: string) => boolean): number {
  const ended = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
  const from = Math.max(0, ended - MAX_NAME_LINE);
  const line = NAME_BEFORE_VALUE.exec(text.slice(from, ended));
  const lines = line !== null && announces(line.groups?.["name"] ?? "") ? from + line.index : ended;
  const block = text.lastIndexOf(BLOCK, lines);
  return block === -1 || BLOCK_END.test(text.slice(block, lines)) ? lines : Math.min(block, lines);
}
