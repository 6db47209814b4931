import type { Fit } from "./fit.ts";
import { matchesWildcard } from "./match-wildcard.ts";
import { type ParsedCommandLine, parseCommandLine } from "./parse-command.ts";

/** Commands whose arguments are programs. */
const INTERPRETERS: ReadonlySet<string> = new Set(["eval", "source", ".", "sh", "bash", "dash", "zsh", "ksh", "fish"]);

/** A command line, as rules look at it. */
export interface CommandSubject extends ParsedCommandLine {
  /** Everything in it that could be a word of a command, in order, however it is quoted. */
  readonly tokens: readonly string[];
}

/** Looks at a command line; `cmd.exe` has other quotes than a POSIX shell, so there they are understood by nobody. */
export function toCommandSubject(line: string, platform: string): CommandSubject {
  const parsed = parseCommandLine(line, { hasQuotes: platform !== "windows" });
  return { ...parsed, tokens: line.split(/[^\p{L}\p{N}_.:@+-]+/u).filter((token) => token !== "") };
}

function begins(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((pattern, index) => {
    const word = words[index];
    return word !== undefined && matchesWildcard(pattern, word);
  });
}

/** Whether the words of a prefix occur at all, in order: behind `sudo`, inside of `sh -c "…"`, with options between. */
function mentions(tokens: readonly string[], prefix: readonly string[]): boolean {
  let next = 0;
  for (const token of tokens) {
    const pattern = prefix[next];
    if (pattern !== undefined && matchesWildcard(nameOf(pattern), token)) next += 1;
  }
  return next === prefix.length;
}

function nameOf(command: string): string {
  return command.slice(command.lastIndexOf("/") + 1);
}

function withName([command = "", ...rest]: readonly string[]): readonly string[] {
  return [nameOf(command), ...rest];
}

/** Whether a command line is exactly one command that does what it says. */
function isSimple({ commands, hasOperators, isOpaque }: CommandSubject): boolean {
  return !isOpaque && !hasOperators && commands.length === 1 && commands[0]?.isPlain === true;
}

/**
 * Whether a command line is one that a rule lets run: exactly one plain command that begins with the rule's words.
 * Nobody can tell of any other line that has them in it.
 */
export function fitAllowedCommand(subject: CommandSubject, prefix: readonly string[]): Fit {
  if (isSimple(subject)) return begins(subject.commands[0]?.words ?? [], prefix) ? "yes" : "no";
  return mentions(subject.tokens, prefix) ? "maybe" : "no";
}

/**
 * Whether a command line does what a rule refuses or asks about: one of its commands begins with the rule's words. Of a
 * line that only a shell understands, or that has the words elsewhere in it, nobody can tell.
 */
export function fitRefusedCommand(subject: CommandSubject, prefix: readonly string[]): Fit {
  const named = withName(prefix);
  if (subject.commands.some(({ words }) => begins(withName(words), named))) return "yes";
  const isProgram = subject.commands.some(({ words }) => words.some((word) => INTERPRETERS.has(nameOf(word))));
  return subject.isOpaque || isProgram || mentions(subject.tokens, prefix) ? "maybe" : "no";
}
