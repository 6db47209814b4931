import { type EngineError, toEngineError } from "@switchyard/contracts";
import { printError, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { withState } from "../run/resume-hint.ts";
import { errorOfCommand, exitCodeOfError } from "./exit-code.ts";
import { parseWords } from "./parse-words.ts";

/** Runs the command named on the command line. Resolves with its exit code and never rejects. */
export async function runProgram(context: CommandContext): Promise<number> {
  let printsJson = false;
  try {
    const selected = await parseWords(context);
    if (selected === undefined) return 0;
    printsJson = selected.printsJson === true;
    return await selected.execute(context);
  } catch (thrown) {
    await printStacks(context, thrown);
    const error = errorOfCommand(thrown, context.progress);
    // If output was lost, the command has already printed its JSON document, so no JSON error is printed.
    if (printsJson && error.code !== "output.lost") context.stdout.write(`${toPlainJson({ error: error.toWire() })}\n`);
    return reportFailure(context, error);
  }
}

/** Prints the error of a command. Returns the exit code for the error. */
export function reportFailure(context: CommandContext, thrown: unknown): number {
  const error = toEngineError(thrown);
  printFailure(context, error);
  return exitCodeOfError(error, context.progress);
}

/**
 * Prints an error with its remedy. Commands in the remedy include the state folder that was given on the command line.
 */
export function printFailure({ stderr, words }: CommandContext, { message, remedy }: EngineError): void {
  printError(stderr, { message, remedy: withState(remedy, words) });
}
