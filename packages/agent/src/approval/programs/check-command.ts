import { checkForm, type FormCheck, findSubcommand, formOf } from "./check-form.ts";
import { optionsOf, parseOptions } from "./option-table.ts";
import type { Program } from "./program.ts";
import { findProgram, nameOf } from "./program-table.ts";
import { type Argument, readArguments } from "./read-arguments.ts";

/** Returns the index of the inner command of a subcommand, such as `uv run COMMAND`. `undefined` if there is none. */
export function innerIndexOfSubcommand(words: readonly string[], program: Program): number | undefined {
  if (program.commands === undefined) return undefined;
  const { index } = findSubcommand(words, program);
  const form = formOf(program, words[index]);
  if (form?.runsOperands !== true) return undefined;
  const style = { style: program.style, stops: true };
  const found = readArguments(words, index + 1, { table: optionsOf(program, form), style });
  return found.find(({ kind }) => kind === "operand")?.index;
}

/** Returns true if the program only prints where the inner command is, as in `command -v`. */
export function onlyPrints(words: readonly string[], program: Program): boolean {
  const prints = parseOptions(program.wraps?.prints ?? "");
  const table = optionsOf(program, program);
  return readArguments(words, 1, { table, style: program }).some(({ spec }) => prints.has(spec?.key ?? ""));
}

/**
 * Returns the index of the word where an inner command starts, as in `sudo COMMAND` or `python -m MODULE`. `undefined`
 * if there is no inner command.
 */
function innerIndex(words: readonly string[], program: Program, found: readonly Argument[]): number | undefined {
  const byModule = found.find(({ spec }) => spec?.kind === "module");
  if (byModule !== undefined) return byModule.valueIndex;
  const { skip, assigns, isLine } = program.wraps ?? {};
  if (skip === undefined || isLine === true) return innerIndexOfSubcommand(words, program);
  const operands = found.filter(({ kind, text }) => kind === "operand" && !(assigns === true && /^\w+=/.test(text)));
  return operands[skip]?.index;
}

function checkWrapper(
  words: readonly string[],
  inner: number,
  options: { program: Program; named: number },
): FormCheck {
  const { program, named } = options;
  const name = nameOf(words[0] ?? "");
  if (inner >= named) return { problem: `\`${name}\` can run any program; name it in the rule`, writes: [] };
  const outer = { ...program, wraps: undefined, operands: "any", never: undefined };
  const found = words.slice(0, inner);
  const assigned = found.slice(named).some((word) => /^\w+=/.test(word));
  if (assigned) return { problem: `\`${name}\` sets variables that the program reads`, writes: [] };
  const check = checkForm(found, outer, named);
  return check.problem === undefined ? checkCommand(words.slice(inner), named - inner) : check;
}

/**
 * Checks whether a rule covers a command. `words`: the arguments as the shell passes them to the program. `named`:
 * number of leading words that the rule spells out without a wildcard. If the program is not in the table of known
 * programs, the rule must spell out its name.
 */
export function checkCommand(words: readonly string[], named: number): FormCheck {
  const [command = ""] = words;
  const program = findProgram(command);
  if (program === undefined) {
    if (named > 0 && !/^git-/.test(nameOf(command))) return { writes: [] };
    return { problem: `\`${command}\` is not in the table of programs; name it in the rule`, writes: [] };
  }
  const isPlain = program.wraps === undefined && program.commands === undefined && program.hides !== "inline";
  if (isPlain) return checkForm(words, program, named);
  const found = readArguments(words, 1, { table: optionsOf(program, program), style: program });
  if (onlyPrints(words, program)) return checkForm(words, { ...program, never: undefined }, named);
  const inner = innerIndex(words, program, found);
  if (inner !== undefined) return checkWrapper(words, inner, { program, named });
  const mayTakeLine = program.wraps?.isLine === true && words.length > 1;
  return mayTakeLine
    ? { problem: `\`${nameOf(command)}\` can run any program`, writes: [] }
    : checkForm(words, program, named);
}
