import { toEngineError } from "@switchyard/contracts";
import { printError, renderStacks } from "../errors/print-error.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";
import { parseWords } from "./parse-words.ts";

/** Runs the command that the world's words ask for. Resolves with its exit code and never rejects. */
export async function runProgram(world: World): Promise<number> {
  const wantsStacks = world.words.includes("--debug");
  let printsJson = false;
  try {
    const selected = await parseWords(world);
    if (selected === undefined) return 0;
    printsJson = selected.printsJson;
    return await selected.execute(world);
  } catch (thrown) {
    const error = toEngineError(thrown);
    if (wantsStacks) world.stderr.write(`${renderStacks(thrown)}\n`);
    printError(world.stderr, error);
    if (printsJson) world.stdout.write(`${toPlainJson({ error: error.toWire() })}\n`);
    return error.row.exitCode;
  }
}
