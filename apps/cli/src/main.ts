import { runProgram } from "./program/run-program.ts";
import type { ProgramFacts } from "./world/open-process-world.ts";
import { openProcessWorld } from "./world/open-process-world.ts";

/** Runs the command line of this process and ends it with the command's exit code. */
export async function main(facts: ProgramFacts): Promise<never> {
  const world = openProcessWorld(facts);
  const exitCode = await runProgram(world);
  await Promise.all([world.stdout.flushed(), world.stderr.flushed()]);
  return world.exit(exitCode);
}
