import type { OptionSpec, OptionTable } from "./option-table.ts";
import type { Program } from "./program.ts";

/** An option or operand of a command. */
export interface Argument {
  readonly kind: "option" | "operand";
  /** The option as written without its value, or the operand. */
  readonly text: string;
  /** The option's entry in the option table. `undefined` for operands and unlisted options. */
  readonly spec?: OptionSpec | undefined;
  /** The option's value. */
  readonly value?: string | undefined;
  /** Index of the option or operand in the list of the command's words. */
  readonly index: number;
  /** Index of the word that contains the option's value. */
  readonly valueIndex: number;
  /**
   * True if the program certainly parses the option as described here. False, for example, if the option requires a
   * value, but the next word looks like another option or is missing.
   */
  readonly isCertain: boolean;
}

/** How the words of a command are split into options and operands. */
export interface ArgumentStyle {
  readonly style?: Program["style"];
  readonly stops?: boolean | undefined;
}

/** Reads the arguments of one command, from the first word to the last. */
class ArgumentReader {
  readonly found: Argument[] = [];
  readonly #words: readonly string[];
  readonly #table: OptionTable;
  readonly #style: ArgumentStyle;
  #at: number;

  constructor(words: readonly string[], from: number, options: { table: OptionTable; style: ArgumentStyle }) {
    this.#words = words;
    this.#table = options.table;
    this.#style = options.style;
    this.#at = from;
  }

  read(): readonly Argument[] {
    let isOnlyOperands = false;
    for (; this.#at < this.#words.length; this.#at += 1) {
      const word = this.#words[this.#at] ?? "";
      if (isOnlyOperands || word === "-" || !word.startsWith("-")) {
        this.#push({ kind: "operand", text: word });
        if (this.#style.stops === true) isOnlyOperands = true;
      } else if (word === "--" && this.#style.style !== "expression") isOnlyOperands = true;
      else this.#readOption(word);
    }
    return this.found;
  }

  #push(
    argument: Pick<Argument, "kind" | "text" | "spec" | "value">,
    { isSeparate = false, isCertain = true } = {},
  ): void {
    const index = this.#at;
    if (isSeparate) this.#at += 1;
    this.found.push({ ...argument, index, valueIndex: this.#at, isCertain });
  }

  #readOption(word: string): void {
    const [name, attached] = splitAtEquals(word);
    const option = this.#table.get(word);
    if (option !== undefined) this.#pushNamed(option, word, undefined);
    else if (attached !== undefined && this.#isLong(word) && this.#table.has(name)) {
      this.#pushNamed(this.#table.get(name), name, attached);
    } else if (/^-\d+$/.test(word) && this.#table.has("-#")) {
      this.#push({ kind: "option", text: word, spec: this.#table.get("-#") });
    } else if (this.#isLong(word)) this.#push({ kind: "option", text: word, spec: this.#table.get("*") });
    else this.#readCluster(word);
  }

  #isLong(word: string): boolean {
    const { style } = this.#style;
    return word.startsWith("--") || style === "words" || style === "expression";
  }

  #pushNamed(spec: OptionSpec | undefined, text: string, attached: string | undefined): void {
    if (attached !== undefined) {
      const isCertain = spec === undefined || spec.value !== "none";
      this.#push({ kind: "option", text, spec, value: attached }, { isCertain });
    } else if (spec?.value === "required") this.#pushWithNext(spec, text);
    else this.#push({ kind: "option", text, spec });
  }

  #pushWithNext(spec: OptionSpec, text: string): void {
    const value = this.#words[this.#at + 1];
    // The installed version of the program may differ from the option table, so that the option takes no value. If the
    // next word looks like an option, it is therefore not certain that the word is the value.
    const isCertain = value !== undefined && !/^-[^\d]/.test(value);
    this.#push({ kind: "option", text, spec, value }, { isSeparate: value !== undefined, isCertain });
  }

  /**
   * Reads combined options such as `-abc`. Each letter is an option; if an option takes a value, the rest is its value.
   */
  #readCluster(word: string): void {
    for (let at = 1; at < word.length; at += 1) {
      const text = `-${word.charAt(at)}`;
      const spec = this.#table.get(text);
      const rest = word.slice(at + 1);
      if (spec === undefined) {
        this.#push({ kind: "option", text });
        return;
      }
      if (spec.value === "none") this.#push({ kind: "option", text, spec });
      else {
        const isCertain = this.#style.style !== "detached";
        if (rest !== "") this.#push({ kind: "option", text, spec, value: rest }, { isCertain });
        else this.#pushNamed(spec, text, undefined);
        return;
      }
    }
  }
}

function splitAtEquals(word: string): readonly [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** Splits the words of a command, starting at `from`, into operands and options with their values. */
export function readArguments(
  words: readonly string[],
  from: number,
  options: { readonly table: OptionTable; readonly style: ArgumentStyle },
): readonly Argument[] {
  return new ArgumentReader(words, from, options).read();
}
