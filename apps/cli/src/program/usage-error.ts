import { EngineError } from "@switchyard/contracts";
import type { CommanderError } from "commander";

/** Creates the error for a wrong command line. `command` is the command's path after `switchyard`. */
export function usageError(problem: string, command: string): EngineError {
  return new EngineError("usage.invalid", { problem, command });
}

/** Command for which the argument parser reported the error. */
interface ParsedCommand {
  /** Path of the command after `switchyard`, such as `runs fork`. */
  readonly path: string;
  /** Names of the command's subcommands. */
  readonly commands: readonly string[];
}

/** Converts an error of the argument parser to a `usage.invalid` error whose message is one sentence. */
export function toUsageError(error: CommanderError, { path: command, commands }: ParsedCommand): EngineError {
  if (error.code === "commander.help") {
    return usageError(`No command was given. Available commands: ${commands.join(", ")}.`, command);
  }
  const [first = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const isTask = error.code === "commander.unknownOption" && /'-[^']*\s/.test(first);
  if (isTask)
    return usageError(`${first.replace(/^u/, "U")}. Write -- before a task that starts with a dash.`, command);
  const hint = suggestion === undefined ? "" : ` ${suggestion.replace(/^\((.*)\)$/, "$1")}`;
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return usageError(`${sentence.replace(/[.]?$/, ".")}${hint}`, command);
}
