import { EngineError, fileProblem } from "@switchyard/contracts";
import { printError } from "./errors/print-error.ts";
import { reportFailure, runProgram } from "./program/run-program.ts";
import type { ProgramFacts } from "./world/open-process-world.ts";
import { openProcessWorld } from "./world/open-process-world.ts";
import type { World } from "./world/world.ts";

/** Runs the command line of this process and ends it with the command's exit code. */
export async function main(facts: ProgramFacts): Promise<never> {
  const world = openProcessWorld(facts);
  // Its state is unknown from then on: it says so and ends.
  world.onCrash((error) => world.exit(reportFailure(world, error)));
  const exitCode = await runProgram(world);
  await world.stdout.flushed();
  const unwritten = outputError(world);
  if (unwritten !== undefined) printError(world.stderr, unwritten);
  await world.stderr.flushed();
  return world.exit(exitCode === 0 && unwritten !== undefined ? unwritten.row.exitCode : exitCode);
}

/** Why the output is not whole, unless its reader has had enough or is gone: a full disk must not look like success. */
function outputError({ stdout }: World): EngineError | undefined {
  if (!stdout.closed.aborted) return undefined;
  const reason: unknown = stdout.closed.reason;
  const isLeft = stdout.isTerminal ? "EIO" : "EPIPE";
  if (reason instanceof Error && "code" in reason && reason.code === isLeft) return undefined;
  return new EngineError(
    "output.unwritable",
    { path: "standard output", problem: fileProblem(reason) },
    { cause: reason },
  );
}
