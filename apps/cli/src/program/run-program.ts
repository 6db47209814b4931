import { type EngineError, toEngineError } from "@switchyard/contracts";
import { printError } from "../errors/print-error.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { withState } from "../run/resume-hint.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";
import { errorOfCommand, exitCodeOfError } from "./exit-code.ts";
import { parseWords } from "./parse-words.ts";

/** Runs the command that the world's words ask for. Resolves with its exit code and never rejects. */
export async function runProgram(world: World): Promise<number> {
  let printsJson = false;
  try {
    const selected = await parseWords(world);
    if (selected === undefined) return 0;
    printsJson = selected.printsJson;
    return await selected.execute(world);
  } catch (thrown) {
    await printStacks(world, thrown);
    const error = errorOfCommand(thrown, world.progress);
    // The document of a command whose output is lost is there already.
    if (printsJson && error.code !== "output.lost") world.stdout.write(`${toPlainJson({ error: error.toWire() })}\n`);
    return reportFailure(world, error);
  }
}

/** Prints an error that was thrown, as people read it. Returns the exit code that belongs to it. */
export function reportFailure(world: World, thrown: unknown): number {
  const error = toEngineError(thrown);
  printFailure(world, error);
  return exitCodeOfError(error, world.progress);
}

/** Prints an error with a remedy for the state folder that the words name. */
export function printFailure({ stderr, words }: World, { message, remedy }: EngineError): void {
  printError(stderr, { message, remedy: withState(remedy, words) });
}
