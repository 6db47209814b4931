import { checkForm, type FormCheck } from "./check-form.ts";
import { optionsOf } from "./option-table.ts";
import type { Program } from "./program.ts";
import { findProgram, nameOf } from "./program-table.ts";
import { readArguments } from "./read-arguments.ts";

/**
 * Returns the index of the word where an inner command starts, as in `sudo COMMAND` or `python -m MODULE`. `undefined`
 * if there is no inner command.
 */
function innerIndex(words: readonly string[], program: Program): number | undefined {
  const found = readArguments(words, 1, { table: optionsOf(program, program), style: program });
  const byModule = found.find(({ spec }) => spec?.kind === "module");
  if (byModule !== undefined) return byModule.valueIndex;
  const { skip, assigns, isLine } = program.wraps ?? {};
  if (skip === undefined || isLine === true) return undefined;
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
 * Checks whether a rule covers a command. `words` are the arguments as the shell passes them to the program. `named` is
 * the number of leading words that the rule spells out without a wildcard. If the table of known programs lacks the
 * program, the rule must spell out the program's name.
 */
export function checkCommand(words: readonly string[], named: number): FormCheck {
  const [command = ""] = words;
  const program = findProgram(command);
  if (program === undefined) {
    if (named > 0 && !/^git-/.test(nameOf(command))) return { writes: [] };
    return { problem: `\`${command}\` is not in the table of programs; name it in the rule`, writes: [] };
  }
  if (program.wraps === undefined && program.hides !== "inline") return checkForm(words, program, named);
  const inner = innerIndex(words, program);
  if (inner !== undefined) return checkWrapper(words, inner, { program, named });
  const mayTakeLine = program.wraps?.isLine === true && words.length > 1;
  return mayTakeLine
    ? { problem: `\`${nameOf(command)}\` can run any program`, writes: [] }
    : checkForm(words, program, named);
}
