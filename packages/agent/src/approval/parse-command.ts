/** One command of a command line. */
interface ParsedCommand {
  /** Its words without quotes, assignments in front left out. */
  readonly words: readonly string[];
  /** Whether each word is what it says, and nothing else happens: no wildcard, no assignment, no redirection. */
  readonly isPlain: boolean;
}

/** What a command line says, as far as that can be told without a shell. */
export interface ParsedCommandLine {
  /** The commands between `;`, `&`, `|` and line ends. */
  readonly commands: readonly ParsedCommand[];
  /** Whether there is any such mark. */
  readonly hasOperators: boolean;
  /** Whether there is something in it that only a shell understands, so that it may run anything. */
  readonly isOpaque: boolean;
}

const PLAIN = /^[A-Za-z0-9_./:=@+,-]$/;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
/** What only makes a word mean other words: it names no other command. */
const WILDCARDS = "*?[]~";

/** Reads a command line, one character after the other. */
class Reader {
  readonly commands: ParsedCommand[] = [];
  hasOperators = false;
  isOpaque = false;
  #words: string[] = [];
  #word: string | undefined;
  #isPlain = true;

  endWord(): void {
    if (this.#word === undefined) return;
    if (this.#words.length === 0 && ASSIGNMENT.test(this.#word)) this.#isPlain = false;
    else this.#words.push(this.#word);
    this.#word = undefined;
  }

  endCommand(): void {
    this.endWord();
    if (this.#words.length > 0 || !this.#isPlain) this.commands.push({ words: this.#words, isPlain: this.#isPlain });
    this.#words = [];
    this.#isPlain = true;
  }

  add(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  take(character: string): void {
    if (character === " " || character === "\t") this.endWord();
    else if (";&|\n".includes(character)) {
      this.hasOperators = true;
      this.endCommand();
    } else if (PLAIN.test(character)) this.add(character);
    else if (WILDCARDS.includes(character)) {
      this.#isPlain = false;
      this.add(character);
    } else if (character === "<" || character === ">") {
      this.#isPlain = false;
      this.endWord();
    } else this.isOpaque = true;
  }
}

/**
 * Takes a command line apart, as POSIX shells do. What is not understood for certain is never taken for plain: an
 * expansion, an escape, a group, a character beyond ASCII outside of quotes make the whole line opaque.
 */
export function parseCommandLine(line: string, { hasQuotes }: { readonly hasQuotes: boolean }): ParsedCommandLine {
  const reader = new Reader();
  const text = line.replace(/\n+$/, "");
  for (let index = 0; index < text.length && !reader.isOpaque; index += 1) {
    const character = text.charAt(index);
    if (!hasQuotes || (character !== "'" && character !== '"')) {
      reader.take(character);
      continue;
    }
    const end = text.indexOf(character, index + 1);
    const quoted = text.slice(index + 1, end);
    const isLiteral = end > 0 && !/[^\P{Cc}\n\t]/u.test(quoted) && (character === "'" || !/[$`\\!]/.test(quoted));
    if (!isLiteral) reader.isOpaque = true;
    reader.add(quoted);
    index = end;
  }
  reader.endCommand();
  const { commands, hasOperators, isOpaque } = reader;
  return { commands, hasOperators, isOpaque };
}
