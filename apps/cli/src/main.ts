import { decideExitCode, unwrittenOutput } from "./program/exit-code.ts";
import { printFailure, reportFailure, runProgram } from "./program/run-program.ts";
import type { ProgramFacts } from "./context/open-process-context.ts";
import { openProcessWorld } from "./context/open-process-context.ts";

/** Runs the command line of this process and ends it with the command's exit code. */
export async function main(facts: ProgramFacts): Promise<never> {
  const world = openProcessWorld(facts);
  // Its state is unknown from then on: it says so and ends.
  world.onCrash((error) => world.exit(reportFailure(world, error)));
  const exitCode = await runProgram(world);
  await world.stdout.flushed();
  const unwritten = unwrittenOutput(world.stdout, { progress: world.progress, exitCode });
  if (unwritten !== undefined) printFailure(world, unwritten);
  await world.stderr.flushed();
  return world.exit(decideExitCode({ exitCode, unwritten, signal: world.stopSignal }));
}
