import { hasPerson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Returns whether an interactive session is possible: all standard streams are terminals that can redraw lines. */
export function canChat({
  stdin,
  stdout,
  stderr,
  env,
}: Pick<CommandContext, "stdin" | "stdout" | "stderr" | "env">): boolean {
  return hasPerson({ stdin, stderr }) && stdout.isTerminal && env["TERM"] !== "dumb";
}
