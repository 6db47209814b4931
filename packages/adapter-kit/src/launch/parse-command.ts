import { EngineError } from "@switchyard/contracts";

/** A program and the arguments that always come first. */
export type LaunchCommand = readonly [program: string, ...leading: string[]];

/**
 * The program and leading arguments of a command: the configured one wins, a text is split at blanks, a list is taken
 * as it is. Throws `adapter.agent_not_found` for a blank one. agent-adapter: launch target.
 */
export function parseCommand(configured: string | readonly string[] | undefined, standard: string): LaunchCommand {
  const given = configured ?? standard;
  const words = typeof given === "string" ? given.split(/\s+/u).filter((word) => word !== "") : given;
  const [program = "", ...leading] = words;
  if (program.trim() === "") throw new EngineError("adapter.agent_not_found", { command: "(a blank command)" });
  return [program, ...leading];
}
