import { COMPLETION_SCRIPTS, type CompletableCommand, completeWords, type Shell } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { valueSources } from "./known-values.ts";

/** Prints the completion script of a shell. Returns the exit code. */
export function printScript({ stdout }: CommandContext, shell: Shell): number {
  stdout.write(COMPLETION_SCRIPTS[shell]);
  return 0;
}

/** Prints the completions of the last word. Resolves with the exit code. */
export async function printCompletions(
  context: CommandContext,
  program: CompletableCommand,
  words: readonly string[],
): Promise<number> {
  context.stdout.write(await completeWords(program, words, valueSources(context)));
  return 0;
}
