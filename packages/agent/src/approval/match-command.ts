import { executableTreeAt } from "./executable-files/executable-file.ts";
import { matchesWildcard } from "./match-wildcard.ts";
import { checkCommand } from "./programs/check-command.ts";
import { deniesCommand } from "./programs/denies-command.ts";
import { commandsWithin } from "./programs/inner-commands.ts";
import { mayRunAnyProgram } from "./programs/may-run-anything.ts";
import { nameOf } from "./programs/program-table.ts";
import type { Finding } from "./rule-match.ts";
import { readShellLine } from "./shell/read-shell-line.ts";
import type { ShellCommand, ShellLine } from "./shell/shell-line.ts";

/** A parsed command line, prepared for matching against approval rules. */
export interface CommandSubject extends ShellLine {
  /**
   * Two lists with the words of the command line, in order. The first contains the words as written. For the second,
   * all quotes and escape characters are removed first, so that it contains `rm` for `r''m`.
   */
  readonly tokens: () => readonly (readonly string[])[];
  /** Words of each command in the line. Includes inner commands, such as `rm` in `sudo rm`. */
  readonly started: () => readonly (readonly string[])[];
  /** Maps two names to the same text if the platform treats them as equal, for example regardless of case. */
  readonly fold: (text: string) => string;
}

/** Wildcard characters, which the shell may expand. */
const WILDCARD = /[*?]|\[[^\][]/;

function tokensOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_.:@+-]+/u).filter((token) => token !== "");
}

/** Returns a function that computes a value at its first call and caches the value for later calls. */
function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/**
 * Parses a command line. For `cmd.exe`, quotes are not interpreted, because they differ from those of a POSIX shell.
 */
export function toCommandSubject(line: string, platform: string): CommandSubject {
  const isFolded = platform === "darwin" || platform === "windows";
  const fold = isFolded ? (text: string) => text.toLowerCase() : (text: string) => text;
  const read = readShellLine(line, { hasQuotes: platform !== "windows" });
  return {
    ...read,
    tokens: once(() => [line, line.replace(/['"`\\^]/g, "")].map((text) => tokensOf(text).map(fold))),
    started: once(() =>
      read.commands
        .flatMap(({ words, inputs, settings }) =>
          commandsWithin({ words: words.map(({ text }) => text), inputs, settings }),
        )
        .map((words) => withName(words).map(fold)),
    ),
    fold,
  };
}

function begins(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((pattern, index) => {
    const word = words[index];
    return word !== undefined && matchesWildcard(pattern, word);
  });
}

/** Returns true if the words may begin with the prefix once the shell expands their wildcards. */
function mayBegin(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((pattern, index) => {
    const word = words[index];
    return word !== undefined && (WILDCARD.test(word) || matchesWildcard(pattern, word));
  });
}

/**
 * Returns true if the words of the prefix occur in the command in the same order, possibly with other words in between.
 */
function occurs(tokens: readonly string[], prefix: readonly string[]): boolean {
  let next = 0;
  for (const token of tokens) {
    const pattern = prefix[next];
    if (pattern !== undefined && matchesWildcard(nameOf(pattern), token)) next += 1;
  }
  return next === prefix.length;
}

function mentions({ tokens }: CommandSubject, prefix: readonly string[]): boolean {
  return tokens().some((list) => occurs(list, prefix));
}

function withName([command = "", ...rest]: readonly string[]): readonly string[] {
  return [nameOf(command), ...rest];
}

/** Returns true for redirections that write no file: to another stream, or to and from `/dev/null`. */
function isHarmlessRedirection({ operator, target }: ShellCommand["redirections"][number]): boolean {
  if (!target.isLiteral) return false;
  if (/^[12]?>&$/.test(operator)) return /^[12]$/.test(target.text);
  return /^(?:[012]?[<>]|[12]?>>|&>|&>>)$/.test(operator) && target.text === "/dev/null";
}

/**
 * Returns why the table of known programs cannot determine the effects of a command line. `undefined` for exactly one
 * plain command.
 */
function problemOfLine({ commands, hasOperators, opaque }: ShellLine): string | undefined {
  const [command] = commands;
  if (opaque !== undefined) return `the command line contains ${opaque}, which only a shell can interpret`;
  if (hasOperators || commands.length > 1) return "the command is more than one simple command";
  if (command === undefined) return undefined;
  const [assigned] = command.assignments;
  if (assigned !== undefined) return `\`${assigned}=\` before a command can change what it runs`;
  if (!command.redirections.every(isHarmlessRedirection)) return "a redirection reads or writes a file";
  const wild = command.words.find(({ isLiteral }) => !isLiteral);
  return wild === undefined ? undefined : `the shell may replace \`${wild.text}\` with other words`;
}

/** Returns true if a command line is exactly one plain command. */
export function isSimpleCommand(subject: ShellLine): boolean {
  return problemOfLine(subject) === undefined;
}

/** Returns the words of the command line's only command. */
function onlyWords({ commands }: ShellLine): readonly string[] {
  return commands[0]?.words.map(({ text }) => text) ?? [];
}

/**
 * Returns the paths that a simple command writes, according to the table of known programs. Empty if the command line
 * is not a simple command.
 */
export function writtenPaths(subject: ShellLine): readonly string[] {
  return isSimpleCommand(subject) ? checkCommand(onlyWords(subject), Number.POSITIVE_INFINITY).writes : [];
}

/** Returns the number of words in a rule before the first word that contains a wildcard. */
function namedWords(prefix: readonly string[]): number {
  const wild = prefix.findIndex((word) => word.includes("*"));
  return wild < 0 ? prefix.length : wild;
}

function isExactly(words: readonly string[], prefix: readonly string[]): boolean {
  return words.length === prefix.length && prefix.every((word, index) => word === words[index] && !word.includes("*"));
}

/** Returns true if the rule names a URL and the command has further operands, which may be other URLs. */
function hasMoreThanAddress(words: readonly string[], prefix: readonly string[]): boolean {
  return (
    prefix.some((word) => word.includes("://")) && words.slice(prefix.length).some((word) => !word.startsWith("-"))
  );
}

function matchPlainCommand(words: readonly string[], prefix: readonly string[]): Finding {
  if (!begins(words, prefix)) return { fit: "no" };
  if (isExactly(words, prefix)) return { fit: "yes" };
  if (hasMoreThanAddress(words, prefix)) {
    return { fit: "maybe", reason: "the rule names an address, and the command may use another" };
  }
  const { problem, writes } = checkCommand(words, namedWords(prefix));
  if (problem !== undefined) return { fit: "maybe", reason: problem };
  const executable = writes.map((path) => executableTreeAt(path.split("/"))).find((found) => found !== undefined);
  return executable === undefined ? { fit: "yes" } : { fit: "maybe", reason: executable.reason };
}

/**
 * Returns whether an allow rule matches a command line. The line must be one plain command that begins with the rule's
 * words, and the table of known programs must list its subcommand and options. `maybe` if the table does not list them.
 */
export function matchAllowedCommand(subject: CommandSubject, prefix: readonly string[]): Finding {
  const reason = problemOfLine(subject);
  if (reason === undefined) return matchPlainCommand(onlyWords(subject), prefix);
  return mentions(subject, prefix.map(subject.fold)) ? { fit: "maybe", reason } : { fit: "no" };
}

/**
 * Returns whether a deny or ask rule matches a command line. Checks the commands of the line and their inner commands,
 * such as `rm` in `sudo rm`. The result is `yes` if one of these commands begins with the rule's words, or is
 * equivalent to the command that the rule names. It is `maybe` if only a shell or another program can interpret the
 * line, or if the rule's words occur elsewhere in the line.
 */
export function matchDeniedCommand(subject: CommandSubject, prefix: readonly string[]): Finding {
  const named = withName(prefix).map(subject.fold);
  const lines = subject.started();
  if (lines.some((words) => begins(words, named) || deniesCommand(words, named))) return { fit: "yes" };
  const isProgram = subject.opaque !== undefined || lines.some(mayRunAnyProgram);
  const isDoubtful = isProgram || lines.some((words) => mayBegin(words, named)) || mentions(subject, named);
  return isDoubtful ? { fit: "maybe", reason: "it may run a command that a rule names" } : { fit: "no" };
}
