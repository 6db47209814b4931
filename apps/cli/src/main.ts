import type { CommandContext } from "./context/command-context.ts";
import type { ProgramFacts } from "./context/open-process-context.ts";
import { openProcessContext } from "./context/open-process-context.ts";
import { decideExitCode, unwrittenOutput } from "./program/exit-code.ts";
import { printFailure, reportFailure, runProgram } from "./program/run-program.ts";
import { closeStores } from "./store/opened-stores.ts";

/** Runs the command line of this process and ends it with the command's exit code. */
export async function main(facts: ProgramFacts): Promise<never> {
  const context = openProcessContext(facts);
  // After an uncaught error, the state of the process is unknown, so the process reports the error and exits.
  context.onCrash((error) => context.exit(reportFailure(context, error)));
  return context.exit(await runCommandLine(context));
}

/** Runs a command line. Resolves with its exit code after all output has been written. */
export async function runCommandLine(context: CommandContext): Promise<number> {
  const exitCode = await runProgram(context);
  await closeStores(context);
  await context.stdout.flushed();
  const unwritten = unwrittenOutput(context.stdout, { progress: context.progress, exitCode });
  if (unwritten !== undefined) printFailure(context, unwritten);
  await context.stderr.flushed();
  return decideExitCode({ exitCode, unwritten, signal: context.stopSignal });
}
