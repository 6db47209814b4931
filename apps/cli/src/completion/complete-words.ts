import { neutraliseControls } from "@switchyard/terminal";
import type { Argument, Command, Option } from "commander";
import type { CommandContext } from "../context/command-context.ts";
import { NO_VALUES, type Values, valuesOfArgument, valuesOfOption } from "./known-values.ts";

/** What the word at the cursor stands for in the command line. */
interface Position {
  readonly command: Command;
  /** Option whose value is to be completed. */
  readonly option?: Option | undefined;
  /** Positional argument that is to be completed; `undefined` if an option is to be completed. */
  readonly argument?: Argument | undefined;
  /** Whether option names can be completed. False after `--`. */
  readonly takesOptions: boolean;
}

/**
 * Returns completions of the last word. The first line is the kind of files to offer: `:files`, `:folders` or `:none`.
 * Each further line is a candidate, with its description after a tab. Never fails: unreadable sources yield no
 * candidates.
 */
export async function completeWords(
  context: CommandContext,
  program: Command,
  words: readonly string[],
): Promise<string> {
  const typed = words.at(-1) ?? "";
  const position = positionOf(program, words.slice(0, -1));
  const [, flag, value] = position.takesOptions ? (/^(--[\w-]+)=(.*)$/su.exec(typed) ?? []) : [];
  if (flag !== undefined && value !== undefined) {
    const option = position.command.options.find(({ long }) => long === flag);
    const { files, words: known } = option === undefined ? NO_VALUES : await valuesOfOption(context, option);
    return render({ files, words: known.map(([word, about]) => [`${flag}=${word}`, about]) }, typed);
  }
  if (position.option !== undefined) return render(await valuesOfOption(context, position.option), typed);
  if (position.takesOptions && typed.startsWith("-")) return render(optionsOf(position.command), typed);
  return render(await plainWords(context, position), typed);
}

function positionOf(program: Command, words: readonly string[]): Position {
  let command = program;
  let option: Option | undefined;
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
function valueOption(command: Command, word: string): Option | undefined {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  return option?.required === true || option?.optional === true ? option : undefined;
}

function optionsOf(command: Command): Values {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const words = shown.map(({ long, short, description }): [string, string] => [long ?? short ?? "", description]);
  return { files: "none", words: [...words, ["--help", "print this help"]] };
}

async function plainWords(context: CommandContext, { command, argument }: Position): Promise<Values> {
  if (argument !== undefined) return valuesOfArgument(context, argument);
  const commands = command.commands.filter((child) => command.createHelp().visibleCommands(command).includes(child));
  return { files: "none", words: commands.map((child) => [child.name(), child.description()]) };
}

function render({ files, words }: Values, typed: string): string {
  const fitting = words.filter(([word]) => word !== "" && word.startsWith(typed));
  const lines = fitting.map(([word, about]) => `${word}\t${neutraliseControls(about).replace(/\s+/g, " ")}`);
  return [`:${files}`, ...lines, ""].join("\n");
}
