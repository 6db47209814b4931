import { toEngineError } from "@switchyard/contracts";
import { printError, renderStacks } from "../errors/print-error.ts";
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
    if (wantsStacks(world)) world.stderr.write(`${await maskSecrets(renderStacks(thrown), world)}\n`);
    if (printsJson) world.stdout.write(`${toPlainJson({ error: toEngineError(thrown).toWire() })}\n`);
    return reportFailure(world, thrown);
  }
}

/** Prints an error that was thrown, as people read it. Returns the exit code that belongs to it. */
export function reportFailure(world: World, thrown: unknown): number {
  const error = toEngineError(thrown);
  printError(world.stderr, error);
  return error.row.exitCode;
}

// Read before the words are parsed: what is wrong may be the words.
function wantsStacks({ words }: World): boolean {
  return words.includes("--debug");
}

/** Foreign errors may quote what was sent. */
async function maskSecrets(text: string, { env }: World): Promise<string> {
  const [{ secretsFromEnv }, { createMasker }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/secrets"),
  ]);
  return createMasker(secretsFromEnv(env)).mask(text);
}
