import { problemOfValue } from "./check-value.ts";
import { type OptionTable, optionsOf, parseOptions } from "./option-table.ts";
import type { Program, ProgramForm, Risk } from "./program.ts";
import { nameOf } from "./program-table.ts";
import { type Argument, readArguments } from "./read-arguments.ts";

/** Result of checking whether an approval rule covers a command, according to the table of known programs. */
export interface FormCheck {
  /** Why the rule does not cover the command. `undefined` if the rule covers it. */
  readonly problem?: string | undefined;
  /** Paths that the command writes. */
  readonly writes: readonly string[];
}

const RISK_TEXTS: Readonly<Record<Risk, string>> = {
  run: "can run any program",
  write: "can change any file",
  connect: "can reach the network",
  elsewhere: "works in another folder or with other settings",
  discard: "can delete or replace work that nothing restores",
};

function refused(problem: string): FormCheck {
  return { problem, writes: [] };
}

/** A program or one of its subcommands, with the title that is shown in messages to the user. */
interface NamedForm {
  readonly program: Program;
  readonly form: ProgramForm;
  readonly title: string;
  /** Number of leading words of the command that the rule spells out without a wildcard. */
  readonly named: number;
}

function problemOfOption(
  { text, spec, value, index, valueIndex, isCertain }: Argument,
  form: NamedForm,
): string | undefined {
  const { title, named } = form;
  if (valueIndex < named && index < named) return undefined;
  if (spec?.risk !== undefined) return `\`${title} ${text}\` ${RISK_TEXTS[spec.risk]}`;
  if (spec === undefined || !isCertain) return `\`${title} ${text}\` is not in the table of forms that a rule covers`;
  if (spec.value === "required" && value === undefined) return `\`${title} ${text}\` lacks its value`;
  const problem = value === undefined ? undefined : problemOfValue(value, spec.kind);
  return problem === undefined ? undefined : `the value of \`${title} ${text}\` ${problem}`;
}

/**
 * Returns the expected kind of each operand. If an option supplies what would otherwise be the first operand, the first
 * kind is left out: in `sed -e SCRIPT`, no operand is a script.
 */
function kindsOf({ operands = "any" }: ProgramForm, found: readonly Argument[]): readonly string[] {
  const kinds = operands.split(" ").filter((kind) => kind !== "");
  const [first = ""] = kinds;
  return found.some(({ spec }) => spec?.kind === first && first !== "any") ? kinds.slice(1) : kinds;
}

function problemOfOperand(
  { text, index }: Argument,
  kind: string | undefined,
  { title, named }: NamedForm,
): string | undefined {
  if (index < named) return undefined;
  if (kind === undefined) return `\`${title} ${text}\` is not in the table of forms that a rule covers`;
  const problem = problemOfValue(text, kind);
  return problem === undefined ? undefined : `\`${text}\` ${problem}`;
}

function lacksNeeded({ form }: NamedForm, found: readonly Argument[]): boolean {
  if (form.needs === undefined) return false;
  const needed = parseOptions(form.needs);
  return !found.some(({ spec }) => spec !== undefined && needed.has(spec.key));
}

/** Kinds of operands that stand for a path to which the command writes. */
const WRITTEN: ReadonlySet<string | undefined> = new Set(["writes", "inputs"]);

function writtenBy(found: readonly Argument[], kinds: readonly string[], { copies }: ProgramForm): string[] {
  const operands = found.filter(({ kind }) => kind === "operand").map(({ text }) => text);
  const written = operands.filter((_, position) => WRITTEN.has(kinds[position] ?? kinds.at(-1)));
  const target = operands.at(-1) ?? "";
  const copied = copies === true ? operands.slice(0, -1).map((path) => `${target}/${nameOf(path)}`) : [];
  const values = found.flatMap(({ spec, value }) => (spec?.kind === "writes" && value !== undefined ? [value] : []));
  return [...written, ...copied, ...values];
}

function checkArguments(found: readonly Argument[], form: NamedForm): FormCheck {
  const kinds = kindsOf(form.form, found);
  let position = 0;
  for (const argument of found) {
    const isOperand = argument.kind === "operand";
    const problem = isOperand
      ? problemOfOperand(argument, kinds[position] ?? kinds.at(-1), form)
      : problemOfOption(argument, form);
    if (problem !== undefined) return refused(problem);
    if (isOperand) position += 1;
  }
  if (lacksNeeded(form, found))
    return refused(`\`${form.title}\` without ${form.form.needs ?? ""} does more than a rule covers`);
  return { writes: writtenBy(found, kinds, form.form) };
}

function checkNamed(words: readonly string[], from: number, form: NamedForm): FormCheck {
  const { never, isNamedOnly, effects = [] } = form.form;
  if (never !== undefined) return refused(`\`${form.title}\` ${RISK_TEXTS[never]}`);
  if (isNamedOnly === true && form.named < from) {
    return refused(`\`${form.title}\` ${RISK_TEXTS[effects[0] ?? "run"]}; name it in the rule`);
  }
  const table = optionsOf(form.program, form.form);
  return checkArguments(readArguments(words, from, { table, style: form.program }), form);
}

/** Finds the subcommand: the first operand after the program's options. */
export function findSubcommand(
  words: readonly string[],
  program: Program,
): { readonly before: readonly Argument[]; readonly index: number } {
  const table: OptionTable = optionsOf(program, program);
  const found = readArguments(words, 1, { table, style: { style: program.style, stops: true } });
  const index = found.find(({ kind }) => kind === "operand")?.index ?? words.length;
  return { before: found.filter((argument) => argument.index < index), index };
}

/** Returns the program name of a command, without the folders in its path. */
function titleOf([command = ""]: readonly string[]): string {
  return command.slice(command.lastIndexOf("/") + 1);
}

/**
 * Returns the entry of a subcommand, which describes its arguments. `undefined` if the table does not list the
 * subcommand.
 */
export function formOf(program: Program, word: string | undefined): ProgramForm | undefined {
  const forms = program.commands ?? {};
  return word !== undefined && Object.hasOwn(forms, word) ? forms[word] : undefined;
}

function checkSubcommand(words: readonly string[], program: Program, named: number): FormCheck {
  const name = titleOf(words);
  const { before, index } = findSubcommand(words, program);
  const programForm = { program, form: { options: program.options }, title: name, named };
  for (const argument of before) {
    const problem = problemOfOption(argument, programForm);
    if (problem !== undefined) return refused(problem);
  }
  const word = words[index];
  if (word === undefined)
    return program.never === undefined ? { writes: [] } : checkNamed(words, 1, { ...programForm, form: program });
  const form = formOf(program, word);
  const title = `${name} ${word}`;
  if (form === undefined) return refused(`\`${title}\` is not in the table of forms that a rule covers`);
  return checkNamed(words, index + 1, { program, form, title, named });
}

/**
 * Checks whether a rule covers a command of a program in the table of known programs. `named` is the number of leading
 * words that the rule spells out without a wildcard. The rule covers these words without further checks.
 */
export function checkForm(words: readonly string[], program: Program, named: number): FormCheck {
  const title = titleOf(words);
  return program.commands === undefined
    ? checkNamed(words, 1, { program, form: program, title, named })
    : checkSubcommand(words, program, named);
}
