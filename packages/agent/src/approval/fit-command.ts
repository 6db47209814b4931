import type { Fit } from "./fit.ts";
import { matchesWildcard } from "./match-wildcard.ts";
import { type ParsedCommandLine, parseCommandLine } from "./parse-command.ts";
import { mayRunAnything, nameOf } from "./program-runner.ts";

/** A command line, as rules look at it. */
export interface CommandSubject extends ParsedCommandLine {
  /** Everything in it that could be a word of a command, in order, however it is quoted. */
  readonly tokens: readonly string[];
  /** The same with all quotes taken out: `r''m` is another way to write `rm`, on any level. */
  readonly unquoted: readonly string[];
  /** Makes equal what the platform does not tell apart. */
  readonly fold: (text: string) => string;
}

/** What a shell may put another word in the place of. */
const WILDCARD = /[*?[]/;

function tokensOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_.:@+-]+/u).filter((token) => token !== "");
}

/** Looks at a command line; `cmd.exe` has other quotes than a POSIX shell, so there they are understood by nobody. */
export function toCommandSubject(line: string, platform: string): CommandSubject {
  const parsed = parseCommandLine(line, { hasQuotes: platform !== "windows" });
  const isFolded = platform === "darwin" || platform === "windows";
  return {
    ...parsed,
    tokens: tokensOf(line),
    unquoted: tokensOf(line.replace(/['"`\\^]/g, "")),
    fold: isFolded ? (text) => text.toLowerCase() : (text) => text,
  };
}

function begins(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((pattern, index) => {
    const word = words[index];
    return word !== undefined && matchesWildcard(pattern, word);
  });
}

/** Whether words begin with a prefix if a wildcard in them stands for what it takes. */
function mayBegin(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((pattern, index) => {
    const word = words[index];
    return word !== undefined && (WILDCARD.test(word) || matchesWildcard(pattern, word));
  });
}

/** Whether the words of a prefix occur at all, in order: behind `sudo`, inside of `sh -c "…"`, with options between. */
function occurs(tokens: readonly string[], prefix: readonly string[]): boolean {
  let next = 0;
  for (const token of tokens) {
    const pattern = prefix[next];
    if (pattern !== undefined && matchesWildcard(nameOf(pattern), token)) next += 1;
  }
  return next === prefix.length;
}

function mentions({ tokens, unquoted, fold }: CommandSubject, prefix: readonly string[]): boolean {
  return [tokens, unquoted].some((list) => occurs(list.map(fold), prefix));
}

function withName([command = "", ...rest]: readonly string[]): readonly string[] {
  return [nameOf(command), ...rest];
}

/** Whether a command line is exactly one command that does what it says. */
export function isSimpleCommand({ commands, hasOperators, isOpaque }: CommandSubject): boolean {
  return !isOpaque && !hasOperators && commands.length === 1 && commands[0]?.isPlain === true;
}

/**
 * Whether a command line is one that a rule lets run: exactly one plain command that begins with the rule's words.
 * Nobody can tell of any other line that has them in it.
 */
export function fitAllowedCommand(subject: CommandSubject, prefix: readonly string[]): Fit {
  if (isSimpleCommand(subject)) return begins(subject.commands[0]?.words ?? [], prefix) ? "yes" : "no";
  return mentions(subject, prefix.map(subject.fold)) ? "maybe" : "no";
}

/**
 * Whether a command line does what a rule refuses or asks about: one of its commands begins with the rule's words. Of a
 * line that only a shell or another program understands, or that has the words elsewhere in it, nobody can tell.
 */
export function fitRefusedCommand(subject: CommandSubject, prefix: readonly string[]): Fit {
  const { commands, fold } = subject;
  const named = withName(prefix).map(fold);
  const lines = commands.map(({ words }) => withName(words).map(fold));
  if (lines.some((words) => begins(words, named))) return "yes";
  const isProgram = subject.isOpaque || commands.some(({ words }) => mayRunAnything(words));
  const isDoubtful = isProgram || lines.some((words) => mayBegin(words, named)) || mentions(subject, named);
  return isDoubtful ? "maybe" : "no";
}
