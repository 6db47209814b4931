import { decodeAnsiQuote } from "./decode-ansi-quote.ts";
import type { ShellCommand, ShellLine, ShellRedirection, ShellWord } from "./shell-line.ts";

/** Characters that are literal in any POSIX shell. */
const PLAIN = /[A-Za-z0-9_./:=@+,%^-]+/y;
/** `%` and `^` are special to `cmd.exe`. */
const WINDOWS_PLAIN = /[A-Za-z0-9_./:=@+,-]+/y;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;
const REDIRECTION = /&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>\||>&|>/y;
const PARAMETER = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;
const RESERVED: ReadonlySet<string> = new Set([
  ...["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "for", "case", "esac", "select"],
  ...["function", "coproc", "!", "{", "}"],
]);
const MAX_DEPTH = 16;

interface Draft {
  words: ShellWord[];
  assignments: string[];
  settings: string[];
  redirections: ShellRedirection[];
  inputs: string[];
}

interface HereDocument {
  readonly end: string;
  readonly isIndented: boolean;
  readonly isQuoted: boolean;
  readonly inputs: string[];
}

function emptyDraft(): Draft {
  return { words: [], assignments: [], settings: [], redirections: [], inputs: [] };
}

/**
 * Parses a command line in one pass. Never throws. A line with unknown syntax is marked as opaque: only a shell can
 * interpret it.
 */
class ShellReader {
  readonly commands: ShellCommand[] = [];
  hasOperators = false;
  opaque: string | undefined;
  readonly #text: string;
  readonly #hasQuotes: boolean;
  readonly #depth: number;
  #at = 0;
  #word: string | undefined;
  #isLiteral = true;
  #isQuoted = false;
  #redirection: string | undefined;
  #draft = emptyDraft();
  #documents: HereDocument[] = [];

  constructor(text: string, { hasQuotes, depth }: { readonly hasQuotes: boolean; readonly depth: number }) {
    this.#text = text;
    this.#hasQuotes = hasQuotes;
    this.#depth = depth;
  }

  /** Reads commands up to an unquoted `end`, or to the end of the text. */
  readList(end: string | undefined): void {
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (character === end) {
        this.#at += 1;
        break;
      }
      this.#take(character);
    }
    this.#endCommand();
  }

  #take(character: string): void {
    const plain = this.#match(this.#hasQuotes ? PLAIN : WINDOWS_PLAIN);
    if (plain !== undefined) {
      this.#add(plain);
      return;
    }
    if (this.#takeRedirection()) return;
    this.#at += 1;
    if (character === " " || character === "\t") this.#endWord();
    else if (character === "\n") this.#endLine();
    else if (";&|".includes(character)) this.#endByOperator();
    else if (!this.#hasQuotes) this.#takeUnknown(character);
    else if (character === "'") this.#takeSingleQuoted();
    else if (character === '"') this.#takeDoubleQuoted();
    else this.#takeSpecial(character);
  }

  #takeSpecial(character: string): void {
    if (character === "$") this.#takeDollar(false);
    else if (character === "`") this.#takeBackticks();
    else if (character === "\\") this.#takeEscape();
    // A shell expands `~` only at the start of a word and after `:` and `=`, so that `HEAD~1` is literal.
    else if (character === "~") this.#add(character, /\w$/.test(this.#word ?? ""));
    else if ("*?[]".includes(character)) this.#add(character, false);
    else if (character === "(" || character === ")") {
      this.#mark("a group or function");
      this.#endCommand();
    } else if (character === "#" && this.#word === undefined) this.#skipComment();
    else this.#takeUnknown(character);
  }

  /** Adds a character of uncertain meaning, such as `!`, a brace, a control character or a non-ASCII character. */
  #takeUnknown(character: string): void {
    this.#mark(`the character ${JSON.stringify(character)} outside of quotes`);
    this.#add(character, false);
  }

  #mark(construct: string): void {
    this.opaque ??= construct;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #add(text: string, isLiteral = true): void {
    this.#word = (this.#word ?? "") + text;
    this.#isLiteral &&= isLiteral;
  }

  #endWord(): void {
    const [text, redirection] = [this.#word, this.#redirection];
    if (text === undefined) return;
    const word = { text, isLiteral: this.#isLiteral };
    const isQuoted = this.#isQuoted;
    this.#word = undefined;
    this.#isLiteral = true;
    this.#isQuoted = false;
    if (redirection !== undefined) this.#endRedirection(redirection, word, isQuoted);
    else this.#addWord(word, isQuoted);
  }

  #addWord(word: ShellWord, isQuoted: boolean): void {
    const { words, assignments, settings } = this.#draft;
    const [, name] = words.length === 0 ? (ASSIGNMENT.exec(word.text) ?? []) : [];
    if (name !== undefined) {
      assignments.push(name);
      settings.push(word.text);
    } else if (words.length === 0 && !isQuoted && RESERVED.has(word.text)) this.#mark(`the reserved word ${word.text}`);
    else words.push(word);
  }

  #endRedirection(operator: string, target: ShellWord, isQuoted: boolean): void {
    this.#redirection = undefined;
    const { inputs, redirections } = this.#draft;
    redirections.push({ operator, target });
    if (operator.endsWith("<<<")) inputs.push(target.text);
    else if (/<<-?$/.test(operator)) {
      this.#documents.push({ end: target.text, isIndented: operator.endsWith("-"), isQuoted, inputs });
    }
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#redirection !== undefined) this.#mark("an unfinished redirection");
    this.#redirection = undefined;
    const { words, assignments, redirections } = this.#draft;
    if (words.length + assignments.length + redirections.length > 0) this.commands.push(this.#draft);
    this.#draft = emptyDraft();
  }

  #endByOperator(): void {
    this.hasOperators = true;
    this.#endCommand();
  }

  #endLine(): void {
    this.#endByOperator();
    for (const document of this.#documents) this.#readDocument(document);
    this.#documents = [];
  }

  #readDocument({ end, isIndented, isQuoted, inputs }: HereDocument): void {
    const lines: string[] = [];
    while (this.#at < this.#text.length) {
      const stop = this.#text.indexOf("\n", this.#at);
      const line = this.#text.slice(this.#at, stop < 0 ? undefined : stop);
      this.#at = stop < 0 ? this.#text.length : stop + 1;
      if ((isIndented ? line.replace(/^\t+/, "") : line) === end) break;
      lines.push(line);
    }
    const body = lines.join("\n");
    inputs.push(body);
    if (!isQuoted) this.#readExpansions(body);
  }

  #takeRedirection(): boolean {
    const found = this.#match(REDIRECTION);
    if (found === undefined) return false;
    if (this.#hasQuotes && /[<>]$/.test(found) && this.#text.charAt(this.#at) === "(") {
      this.#mark("a process substitution");
      this.#at += 1;
      this.#readNested(")");
      this.#add("<()", false);
      return true;
    }
    const isDescriptor = !found.startsWith("&") && this.#word !== undefined && /^\d+$/.test(this.#word);
    const descriptor = isDescriptor && !this.#isQuoted ? (this.#word ?? "") : "";
    if (descriptor === "") this.#endWord();
    else this.#word = undefined;
    if (this.#redirection !== undefined) this.#mark("an unfinished redirection");
    this.#redirection = descriptor + found;
    return true;
  }

  #takeSingleQuoted(): void {
    const end = this.#text.indexOf("'", this.#at);
    const quoted = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#isQuoted = true;
    if (end < 0) this.#mark("an unfinished quote");
    this.#markControls(quoted);
    this.#add(quoted);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #markControls(quoted: string): void {
    if (/[^\P{Cc}\n\t]/u.test(quoted)) this.#mark("a control character");
  }

  #takeDoubleQuoted(): void {
    this.#isQuoted = true;
    this.#add("");
    for (;;) {
      // `!` is literal: the history is expanded only by interactive shells.
      const plain = this.#match(/[^"$`\\]+/y);
      if (plain !== undefined) {
        this.#markControls(plain);
        this.#add(plain);
      }
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character === '"') return;
      if (character === "") {
        this.#mark("an unfinished quote");
        return;
      }
      if (character === "$") this.#takeDollar(true);
      else if (character === "`") this.#takeBackticks();
      else this.#takeQuotedEscape();
    }
  }

  #takeQuotedEscape(): void {
    this.#mark("an escape");
    const next = this.#text.charAt(this.#at);
    this.#at += 1;
    if (next !== "\n") this.#add('$`"\\'.includes(next) ? next : `\\${next}`);
  }

  #takeEscape(): void {
    this.#mark("an escape");
    const next = this.#text.charAt(this.#at);
    this.#at += 1;
    // An escape is also used to bypass an alias, as in `\rm`.
    if (next !== "\n" && next !== "") this.#add(next);
    this.#isQuoted = true;
  }

  #takeDollar(isInQuotes: boolean): void {
    this.#mark("an expansion");
    const next = this.#text.charAt(this.#at);
    if (next === "(") {
      this.#at += 1;
      this.#readNested(")");
      this.#add("$()", false);
    } else if (next === "{") this.#takeBracedParameter();
    else if (next === "'" && !isInQuotes) this.#takeAnsiQuoted();
    else if (next === '"' && !isInQuotes) return;
    else this.#add(`$${this.#match(PARAMETER) ?? ""}`, false);
  }

  #takeBracedParameter(): void {
    const end = this.#text.indexOf("}", this.#at);
    const body = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    this.#readExpansions(body);
    this.#add("$", false);
  }

  #takeAnsiQuoted(): void {
    const found = this.#match(/'(?:[^'\\]|\\[\s\S])*'?/y) ?? "";
    this.#isQuoted = true;
    this.#add(decodeAnsiQuote(found.replace(/^'|'$/g, "")), false);
  }

  #takeBackticks(): void {
    this.#mark("a command substitution");
    const found = this.#match(/(?:[^`\\]|\\[\s\S])*`?/y) ?? "";
    this.#readText(found.replace(/`$/, "").replace(/\\([`\\$])/g, "$1"));
    this.#add("$()", false);
  }

  #skipComment(): void {
    this.#mark("a comment");
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Reads the commands of a substitution that starts at the current position. */
  #readNested(end: string): void {
    const inner = this.#innerReader(this.#text.slice(this.#at));
    if (inner === undefined) return;
    inner.readList(end);
    this.#at += inner.#at;
    this.#adopt(inner);
  }

  #readText(text: string): void {
    const inner = this.#innerReader(text);
    inner?.readList(undefined);
    if (inner !== undefined) this.#adopt(inner);
  }

  /** Reads the command substitutions in a text that is otherwise data. */
  #readExpansions(text: string): void {
    for (const [found] of text.matchAll(/\$\([^)]*\)?|`[^`]*`?/g)) {
      this.#mark("a command substitution");
      this.#readText(found.replace(/^\$\(|^`|[)`]$/g, ""));
    }
  }

  #innerReader(text: string): ShellReader | undefined {
    if (this.#depth < MAX_DEPTH) return new ShellReader(text, { hasQuotes: true, depth: this.#depth + 1 });
    this.#mark("deeply nested substitutions");
    this.#at = this.#text.length;
    return undefined;
  }

  #adopt(inner: ShellReader): void {
    this.commands.push(...inner.commands);
    if (inner.hasOperators) this.hasOperators = true;
    if (inner.opaque !== undefined) this.#mark(inner.opaque);
  }
}

/**
 * Parses the commands of a command line. The parser finds commands leniently, but is strict about what it calls
 * literal: any construct of uncertain meaning makes the line opaque. `hasQuotes` is false for `cmd.exe`, whose quotes
 * differ from those of POSIX shells.
 */
export function readShellLine(line: string, { hasQuotes }: { readonly hasQuotes: boolean }): ShellLine {
  const reader = new ShellReader(line.replace(/\n+$/, ""), { hasQuotes, depth: 0 });
  reader.readList(undefined);
  const { commands, hasOperators, opaque } = reader;
  return { commands, hasOperators, opaque };
}
