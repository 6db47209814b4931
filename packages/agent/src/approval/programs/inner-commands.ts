import { readShellLine } from "../shell/read-shell-line.ts";
import { innerIndexOfSubcommand, onlyPrints } from "./check-command.ts";
import { findSubcommand, formOf } from "./check-form.ts";
import { optionsOf, parseOptions } from "./option-table.ts";
import type { Program, ProgramForm, Wrapper } from "./program.ts";
import { findProgram, nameOf } from "./program-table.ts";
import { type Argument, readArguments } from "./read-arguments.ts";
import { findVariable } from "./variable-table.ts";

const MAX_DEPTH = 8;
/** Definition used for a subcommand that the table of known programs does not list. */
const UNLISTED: ProgramForm = {};

/** A command and the here-documents that it reads from standard input. */
interface StartedCommand {
  readonly words: readonly string[];
  readonly inputs: readonly string[];
  /** Variables that are assigned before the program, as `NAME=value`. Default: none. */
  readonly settings?: readonly string[] | undefined;
}

/** Stands for a command line that only a shell can interpret. */
const UNREADABLE: StartedCommand = { words: ["sh"], inputs: [] };

/** Rewrites `git-push` and `/usr/lib/git-core/git-push` as `git push`. */
function withoutDash(words: readonly string[]): readonly string[] {
  const [, subcommand] = /^git-(.+)$/.exec(nameOf(words[0] ?? "")) ?? [];
  // biome-ignore lint/plugin: the words are only compared with a rule, no process starts
  return subcommand === undefined ? words : ["git", subcommand, ...words.slice(1)];
}

/** Returns the command lines that an option value may contain: `core.pager=less` contains `less`. */
function linesInValue(value: string): readonly string[] {
  const parts = value.split("=");
  const lines = parts.map((_, index) =>
    parts
      .slice(index)
      .join("=")
      .replace(/^[!|]+/, ""),
  );
  return lines.flatMap((line) => (/^".*"$/s.test(line) ? [line, line.slice(1, -1)] : [line]));
}

function lineValues(found: readonly Argument[], notation: string | undefined): readonly string[] {
  const keys = parseOptions(notation ?? "");
  return found.flatMap(({ spec, value }) =>
    spec?.risk === "run" && value !== undefined && keys.has(spec.key) ? linesInValue(value) : [],
  );
}

/** Reads all arguments of a command. If it has a subcommand, the arguments after it are read by its own options. */
function readAll(words: readonly string[], program: Program): readonly Argument[] {
  const { style } = program;
  if (program.commands === undefined)
    return readArguments(words, 1, { table: optionsOf(program, program), style: { style } });
  const { before, index } = findSubcommand(words, program);
  const table = optionsOf(program, formOf(program, words[index]) ?? UNLISTED);
  return [...before, ...readArguments(words, index + 1, { table, style: { style } })];
}

/** Returns the command line after an operand of a subcommand, such as `git bisect run`. */
function linesAfter(words: readonly string[], program: Program): readonly string[] {
  const { index } = findSubcommand(words, program);
  const { lineAfter } = formOf(program, words[index]) ?? UNLISTED;
  const at = lineAfter === undefined ? -1 : words.indexOf(lineAfter, index + 1);
  return at < 0 ? [] : [words.slice(at + 1).join(" ")];
}

/** Returns the commands of a line that is passed to a shell. */
function readLine(line: string): readonly StartedCommand[] {
  const { commands, opaque } = readShellLine(line, { hasQuotes: true });
  const started = commands.map(({ words, inputs, settings }) => ({
    words: words.map(({ text }) => text),
    inputs,
    settings,
  }));
  return opaque === undefined ? started : [...started, UNREADABLE];
}

/** Returns the commands that assigned variables make programs start, as in `GIT_SSH_COMMAND='ssh -v' git fetch`. */
function startedBySettings(settings: readonly string[]): readonly StartedCommand[] {
  return settings.flatMap((setting) => {
    const at = setting.indexOf("=");
    const row = findVariable(setting.slice(0, at).replace(/\+$/, ""));
    if (at < 0 || row === undefined) return [];
    return row.holds === "code" ? [UNREADABLE] : linesInValue(setting.slice(at + 1)).flatMap(readLine);
  });
}

/** Returns the command lines that a wrapper such as `sh -c` passes to a shell. */
function linesOf({ words, inputs }: StartedCommand, wraps: Wrapper, found: readonly Argument[]): readonly string[] {
  const operands = found.filter(({ kind }) => kind === "operand");
  const lines: string[] = [];
  if (wraps.lineOption !== undefined) {
    const isLine = found.some(({ spec }) => spec?.key === wraps.lineOption);
    const [first] = operands;
    if (isLine && first !== undefined) lines.push(first.text);
    if (first === undefined || first.text === "-") lines.push(...inputs);
  }
  const start = wraps.isLine === true ? operands[wraps.skip ?? 0]?.index : undefined;
  if (start !== undefined) lines.push(words.slice(start).join(" "));
  return lines;
}

/** Returns the commands between `-exec` and `;` or `+`, as in `find`. */
function clausesOf(words: readonly string[], notation: string): readonly (readonly string[])[] {
  const starts = new Set(notation.split(" "));
  return words.flatMap((word, index) => {
    if (!starts.has(word)) return [];
    const rest = words.slice(index + 1);
    const end = rest.findIndex((other) => other === ";" || other === "+");
    return [end < 0 ? rest : rest.slice(0, end)];
  });
}

function wordsInside(
  words: readonly string[],
  { skip, assigns, isLine }: Wrapper,
  found: readonly Argument[],
): readonly string[] {
  if (skip === undefined || isLine === true) return [];
  const operands = found.filter(({ kind, text }) => kind === "operand" && !(assigns === true && /^\w+=/.test(text)));
  const start = operands[skip]?.index;
  return start === undefined ? [] : words.slice(start);
}

function insideOf(command: StartedCommand, program: Program, depth: number): readonly (readonly string[])[] {
  const { wraps } = program;
  if ((wraps === undefined && program.commands === undefined) || depth >= MAX_DEPTH) return [];
  const { words } = command;
  if (onlyPrints(words, program)) return [];
  const table = optionsOf(program, program);
  const found = readArguments(words, 1, {
    table,
    style: { style: program.style, stops: wraps?.clauses === undefined },
  });
  const subcommand = innerIndexOfSubcommand(words, program);
  const started: StartedCommand[] = [
    ...linesOf(command, wraps ?? {}, found),
    // Some wrappers also accept options after operands: `su root -c line`.
    ...lineValues(readAll(words, program), wraps?.lines),
    ...linesAfter(words, program),
  ].flatMap(readLine);
  const direct = [wordsInside(words, wraps ?? {}, found), ...clausesOf(words, wraps?.clauses ?? "")];
  if (subcommand !== undefined) direct.push(words.slice(subcommand));
  started.push(...direct.map((inner) => ({ words: inner, inputs: [] })));
  if (wraps?.assigns === true) started.push(...startedBySettings(words.slice(1)));
  return started.flatMap((inner) => commandsWithin(inner, depth + 1));
}

/**
 * Returns the words of a command and of the commands that it certainly starts. Examples: the inner command of `sudo`,
 * `env` and `xargs`, the line of `sh -c`, `find -exec`, the here-document of a shell.
 */
export function commandsWithin(command: StartedCommand, depth = 0): readonly (readonly string[])[] {
  const words = withoutDash(command.words);
  const assigned = depth < MAX_DEPTH ? startedBySettings(command.settings ?? []) : [];
  const before = assigned.flatMap((inner) => commandsWithin(inner, depth + 1));
  if (words.length === 0) return before;
  const program = findProgram(words[0] ?? "");
  const inside = program === undefined ? [] : insideOf({ ...command, words }, program, depth);
  return [...before, words, ...inside];
}
