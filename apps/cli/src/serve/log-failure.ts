import { toEngineError } from "@switchyard/contracts";
import { toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { maskSecrets, printStacks } from "../errors/print-stacks.ts";

/**
 * Logs an internal failure as one line of JSON, like the server's other log lines. With `--debug`, stack traces follow.
 */
export async function logFailure(context: CommandContext, error: unknown): Promise<void> {
  const { code, message, remedy } = toEngineError(error);
  const time = new Date(context.now()).toISOString();
  const problem = await maskSecrets(message, context);
  context.stderr.write(`${toPlainJson({ time, level: "error", message: "failure", code, problem, remedy })}\n`);
  await printStacks(context, error);
}
