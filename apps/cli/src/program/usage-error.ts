import { EngineError } from "@switchyard/contracts";
import type { CommanderError } from "commander";

/** An error in how a command was written; `command` is its name behind `switchyard`. */
export function usageError(problem: string, command: string): EngineError {
  return new EngineError("usage.invalid", { problem, command });
}

/** The command that the parser was at. */
interface ParsedCommand {
  /** Its name behind `switchyard`. */
  readonly path: string;
  /** Names of those below it. */
  readonly commands: readonly string[];
}

/** What the parser says about the words, as one sentence. */
export function toUsageError(error: CommanderError, { path: command, commands }: ParsedCommand): EngineError {
  if (error.code === "commander.help") {
    return usageError(`No command was given; there are ${commands.join(", ")}.`, command);
  }
  const [first = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const isTask = error.code === "commander.unknownOption" && /'-[^']*\s/.test(first);
  if (isTask)
    return usageError(`${first.replace(/^u/, "U")}. Write -- in front of a task that begins with a dash.`, command);
  const hint = suggestion === undefined ? "" : ` ${suggestion.replace(/^\((.*)\)$/, "$1")}`;
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return usageError(`${sentence.replace(/[.]?$/, ".")}${hint}`, command);
}
