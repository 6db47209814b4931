import { toEngineError } from "@switchyard/contracts";
import { printError } from "../errors/print-error.ts";
import { printStacks } from "../errors/print-stacks.ts";
import { withState } from "../run/resume-hint.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";
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
    if (printsJson) world.stdout.write(`${toPlainJson({ error: toEngineError(thrown).toWire() })}\n`);
    return reportFailure(world, thrown);
  }
}

/** Prints an error that was thrown, as people read it. Returns the exit code that belongs to it. */
export function reportFailure(world: World, thrown: unknown): number {
  const error = toEngineError(thrown);
  printError(world.stderr, { message: error.message, remedy: withState(error.remedy, world.words) });
  return error.row.exitCode;
}
