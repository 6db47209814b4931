import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Completion candidate with its description. */
export type KnownWord = readonly [word: string, about: string];

/** Possible values of an option or argument. */
export interface KnownValues {
  /** Files that the shell offers as completions, in addition to `words`. */
  readonly files: "none" | "files" | "folders";
  /** Words that match. */
  readonly words: readonly KnownWord[];
}

/** Option of a command, as the argument parser commander describes it. */
export interface CompletableOption {
  /** Long name with its dashes. */
  readonly long?: string | undefined;
  /** Short name with its dash. */
  readonly short?: string | undefined;
  /** Names and placeholder, such as `-m, --model <name>`. */
  readonly flags: string;
  /** Help text. */
  readonly description: string;
  /** True if the help does not list the option. */
  readonly hidden: boolean;
  /** True if the option has a value. */
  readonly required: boolean;
  /** True if the option may have a value. */
  readonly optional: boolean;
  /** Possible values. `undefined`: any. */
  readonly argChoices?: readonly string[] | undefined;
}

/** Positional argument of a command, as the argument parser commander describes it. */
export interface CompletableArgument {
  /** Possible values. `undefined`: any. */
  readonly argChoices?: readonly string[] | undefined;
  /** True if the argument can be repeated. */
  readonly variadic: boolean;
  /** Returns the name. */
  name(): string;
}

/** Command whose words are completed. Compatible with the class `Command` of commander. */
export interface CompletableCommand {
  /** Subcommands. */
  readonly commands: readonly CompletableCommand[];
  /** Options. */
  readonly options: readonly CompletableOption[];
  /** Positional arguments. */
  readonly registeredArguments: readonly CompletableArgument[];
  /** Returns the name. */
  name(): string;
  /** Returns the help text. */
  description(): string;
  /** Returns the help formatter, which lists the visible subcommands of a command. */
  createHelp(): { visibleCommands(command: CompletableCommand): readonly CompletableCommand[] };
}

/** Sources of the values that an option or argument can have. Contract: neither function rejects. */
export interface ValueSources {
  /** Returns the values of an option. */
  valuesOfOption(option: CompletableOption): Promise<KnownValues>;
  /** Returns the values of a positional argument. */
  valuesOfArgument(argument: CompletableArgument): Promise<KnownValues>;
}

/** Empty completions, for an option or argument without known values. */
export const NO_VALUES: KnownValues = { files: "none", words: [] };

/** Meaning of the word at the cursor: the value of an option, a positional argument, or the name of an option. */
interface Position {
  readonly command: CompletableCommand;
  /** Option whose value is to be completed. */
  readonly option?: CompletableOption | undefined;
  /** Positional argument that is to be completed; `undefined` if an option is to be completed. */
  readonly argument?: CompletableArgument | undefined;
  /** Whether option names can be completed. False after `--`. */
  readonly takesOptions: boolean;
}

/**
 * Returns completions of the last word. The first line is the kind of files to offer: `:files`, `:folders` or `:none`.
 * Each further line is a candidate, with its description after a tab.
 */
export async function completeWords(
  program: CompletableCommand,
  words: readonly string[],
  sources: ValueSources,
): Promise<string> {
  const typed = words.at(-1) ?? "";
  const position = positionOf(program, words.slice(0, -1));
  const [, flag, value] = position.takesOptions ? (/^(--[\w-]+)=(.*)$/su.exec(typed) ?? []) : [];
  if (flag !== undefined && value !== undefined) {
    const option = position.command.options.find(({ long }) => long === flag);
    const { files, words: known } = option === undefined ? NO_VALUES : await sources.valuesOfOption(option);
    return render({ files, words: known.map(([word, about]) => [`${flag}=${word}`, about]) }, typed);
  }
  if (position.option !== undefined) return render(await sources.valuesOfOption(position.option), typed);
  if (position.takesOptions && typed.startsWith("-")) return render(optionsOf(position.command), typed);
  return render(await plainWords(position, sources), typed);
}

function positionOf(program: CompletableCommand, words: readonly string[]): Position {
  let command = program;
  let option: CompletableOption | undefined;
  let operands = 0;
  let takesOptions = true;
  for (const word of words) {
    if (option !== undefined) option = undefined;
    else if (takesOptions && word === "--") takesOptions = false;
    else if (takesOptions && word.startsWith("-") && word !== "-") option = valueOption(command, word);
    else {
      const child = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (child === undefined) operands += 1;
      else command = child;
    }
  }
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  return { command, option, argument: all[operands] ?? (last?.variadic ? last : undefined), takesOptions };
}

/** Returns the option whose value is to be completed. */
function valueOption(command: CompletableCommand, word: string): CompletableOption | undefined {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  return option?.required === true || option?.optional === true ? option : undefined;
}

function optionsOf(command: CompletableCommand): KnownValues {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const words = shown.map(({ long, short, description }): [string, string] => [long ?? short ?? "", description]);
  return { files: "none", words: [...words, ["--help", "print this help"]] };
}

async function plainWords({ command, argument }: Position, sources: ValueSources): Promise<KnownValues> {
  if (argument !== undefined) return sources.valuesOfArgument(argument);
  const commands = command.commands.filter((child) => command.createHelp().visibleCommands(command).includes(child));
  return { files: "none", words: commands.map((child) => [child.name(), child.description()]) };
}

function render({ files, words }: KnownValues, typed: string): string {
  const fitting = words.filter(([word]) => word !== "" && word.startsWith(typed));
  const lines = fitting.map(([word, about]) => `${word}\t${neutraliseControls(about).replace(/\s+/g, " ")}`);
  return [`:${files}`, ...lines, ""].join("\n");
}
