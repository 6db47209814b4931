import { readShellLine } from "../shell/read-shell-line.ts";
import { optionsOf, parseOptions } from "./option-table.ts";
import type { Program, Wrapper } from "./program.ts";
import { findProgram, nameOf } from "./program-table.ts";
import { type Argument, readArguments } from "./read-arguments.ts";

const MAX_DEPTH = 8;

/** A command and the here-documents that it reads from standard input. */
interface StartedCommand {
  readonly words: readonly string[];
  readonly inputs: readonly string[];
}

/** Rewrites `git-push` and `/usr/lib/git-core/git-push` as `git push`. */
function withoutDash(words: readonly string[]): readonly string[] {
  const [, subcommand] = /^git-(.+)$/.exec(nameOf(words[0] ?? "")) ?? [];
  // biome-ignore lint/plugin: the words are only compared with a rule, no process starts
  return subcommand === undefined ? words : ["git", subcommand, ...words.slice(1)];
}

function lineValues(found: readonly Argument[], notation: string | undefined): string[] {
  const keys = parseOptions(notation ?? "");
  return found.flatMap(({ spec, value }) =>
    spec !== undefined && value !== undefined && keys.has(spec.key) ? [value] : [],
  );
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
  if (wraps === undefined || depth >= MAX_DEPTH) return [];
  const { words } = command;
  const table = optionsOf(program, program);
  const found = readArguments(words, 1, { table, style: { style: program.style, stops: wraps.clauses === undefined } });
  // Some wrappers also accept options after operands: `su root -c line`.
  const all = readArguments(words, 1, { table, style: { style: program.style } });
  const started: StartedCommand[] = [...linesOf(command, wraps, found), ...lineValues(all, wraps.lines)]
    .flatMap((line) => readShellLine(line, { hasQuotes: true }).commands)
    .map((inner) => ({ words: inner.words.map(({ text }) => text), inputs: inner.inputs }));
  const direct = [wordsInside(words, wraps, found), ...clausesOf(words, wraps.clauses ?? "")];
  started.push(...direct.map((inner) => ({ words: inner, inputs: [] })));
  return started.flatMap((inner) => commandsWithin(inner, depth + 1));
}

/**
 * Returns the words of a command and of the commands that it certainly starts. Examples: the inner command of `sudo`,
 * `env` and `xargs`, the line of `sh -c`, `find -exec`, the here-document of a shell.
 */
export function commandsWithin(command: StartedCommand, depth = 0): readonly (readonly string[])[] {
  const words = withoutDash(command.words);
  if (words.length === 0) return [];
  const program = findProgram(words[0] ?? "");
  return program === undefined ? [words] : [words, ...insideOf({ ...command, words }, program, depth)];
}
