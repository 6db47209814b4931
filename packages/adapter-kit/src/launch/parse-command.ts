import { EngineError } from "@switchyard/contracts";

/** A command: the program, and the arguments that come before all other arguments. */
export type LaunchCommand = readonly [program: string, ...leading: string[]];

/**
 * Returns the program and leading arguments of a command. The configured command takes precedence over the default. A
 * string is split at spaces; a list is used unchanged. Throws `adapter.agent_not_found` for a blank command. See
 * agent-adapter: launch target.
 */
export function parseCommand(configured: string | readonly string[] | undefined, standard: string): LaunchCommand {
  const command = configured ?? standard;
  const words = typeof command === "string" ? command.split(/\s+/u).filter((word) => word !== "") : command;
  const [program = "", ...leading] = words;
  if (program.trim() === "") throw new EngineError("adapter.agent_not_found", { command: "(a blank command)" });
  return [program, ...leading];
}
