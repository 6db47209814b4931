import { matchesWildcard } from "../match-wildcard.ts";
import { findSubcommand, formOf } from "./check-form.ts";
import { type OptionTable, optionsOf } from "./option-table.ts";
import type { Program, ProgramForm } from "./program.ts";
import { findProgram, nameOf } from "./program-table.ts";
import { type Argument, readArguments } from "./read-arguments.ts";

/** A program or one of its subcommands, with its options. */
interface ComparedForm {
  readonly form: ProgramForm;
  readonly table: OptionTable;
}

/** Definition used for a subcommand that the table of known programs does not list. */
const UNLISTED: ProgramForm = {};

/** Returns the table's name for an option, also if the command contains an abbreviation of that name. */
function keyOf({ text, spec }: Argument, table: OptionTable): string {
  if (spec !== undefined) return spec.key;
  if (!text.startsWith("--")) return text;
  for (const [name, { key }] of table) if (name.startsWith(text)) return key;
  return text;
}

function abbreviates(text: string, name: string): boolean {
  return /^--\w/.test(text) && name.startsWith(text);
}

/** Returns true if an argument is the option that a rule names, or an operand that is equivalent to that option. */
function isOption(argument: Argument, wanted: Argument, { table, form }: ComparedForm): boolean {
  const key = keyOf(wanted, table);
  if (argument.kind === "operand") return key !== "" && form.operandOptions?.[argument.text.charAt(0)] === key;
  return (
    (keyOf(argument, table) === key || abbreviates(argument.text, wanted.text)) &&
    (wanted.value === undefined || matchesWildcard(wanted.value, argument.value ?? ""))
  );
}

function hasArguments(given: readonly Argument[], wanted: readonly Argument[], compared: ComparedForm): boolean {
  const operands = given.filter(({ kind }) => kind === "operand");
  let position = 0;
  return wanted.every((argument) => {
    if (argument.kind === "option") return given.some((found) => isOption(found, argument, compared));
    const operand = operands[position]?.text;
    position += 1;
    return operand !== undefined && matchesWildcard(argument.text, operand);
  });
}

function compareFrom(
  [words, start]: readonly [readonly string[], number],
  [prefix, prefixStart]: readonly [readonly string[], number],
  { program, form }: { readonly program: Program; readonly form: ProgramForm },
): boolean {
  const options = { table: optionsOf(program, form), style: program };
  const given = readArguments(words, start, options);
  return hasArguments(given, readArguments(prefix, prefixStart, options), { form, table: options.table });
}

function canonicalName(program: Program, word: string): string {
  return Object.hasOwn(program.aliases ?? {}, word) ? (program.aliases?.[word] ?? word) : word;
}

/**
 * Returns true if a word of the command selects the subcommand that a rule names. The word may be an alias or
 * abbreviation of the subcommand.
 */
function isSubcommand(word: string, name: string, program: Program): boolean {
  if (matchesWildcard(canonicalName(program, name), canonicalName(program, word))) return true;
  const isName = Object.hasOwn(program.commands ?? {}, word) || Object.hasOwn(program.aliases ?? {}, word);
  return program.abbreviates === true && !isName && word !== "" && name.startsWith(word);
}

function deniesSubcommand(words: readonly string[], prefix: readonly string[], program: Program): boolean {
  const [given, wanted] = [findSubcommand(words, program), findSubcommand(prefix, program)];
  const programForm = { form: program, table: optionsOf(program, program) };
  const name = prefix[wanted.index];
  if (!wanted.before.every((option) => given.before.some((found) => isOption(found, option, programForm))))
    return false;
  if (name === undefined) return true;
  const word = words[given.index];
  if (word === undefined || !isSubcommand(word, name, program)) return false;
  const form = formOf(program, canonicalName(program, word)) ?? UNLISTED;
  return compareFrom([words, given.index + 1], [prefix, wanted.index + 1], { program, form });
}

/**
 * Returns true if a command is equivalent to the command that a deny rule names. It may have options before the
 * subcommand, use an alias of the program or subcommand, or spell or order options differently.
 */
export function deniesCommand(words: readonly string[], prefix: readonly string[]): boolean {
  const program = findProgram(nameOf(prefix[0] ?? ""));
  if (program === undefined || program !== findProgram(words[0] ?? "")) return false;
  return program.commands === undefined
    ? compareFrom([words, 1], [prefix, 1], { program, form: program })
    : deniesSubcommand(words, prefix, program);
}
