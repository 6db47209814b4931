import { toEngineError } from "@switchyard/contracts";
import { toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { maskSecrets, printStacks } from "../errors/print-stacks.ts";

/** Says on a line of JSON, as all lines of a server are, what went wrong in it; with `--debug` the stacks follow. */
export async function logFailure(context: CommandContext, error: unknown): Promise<void> {
  const { code, message, remedy } = toEngineError(error);
  const time = new Date(context.now()).toISOString();
  const problem = await maskSecrets(message, context);
  context.stderr.write(`${toPlainJson({ time, level: "error", message: "failure", code, problem, remedy })}\n`);
  await printStacks(context, error);
}
