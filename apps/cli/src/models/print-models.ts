import { printError, renderModelList, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { exitCodeOfError } from "../program/exit-code.ts";
import { usageError } from "../program/usage-error.ts";
import type { ModelsOptions } from "./models-options.ts";

/**
 * Prints known models, and the models offered by each provider that has an API key. Resolves with exit code 0. If a
 * provider named on the command line could not be contacted, resolves with the exit code of that error. Known models
 * are printed in either case.
 */
export async function printModels(context: CommandContext, options: ModelsOptions): Promise<number> {
  const { provider, json } = options;
  if (provider === undefined && options.baseUrl !== undefined) {
    throw usageError("--base-url requires a provider.", "models");
  }
  const { listModels } = await import("@switchyard/engine-catalog");
  const { models, problems } = await listModels(context, options);
  if (json === true) {
    context.stdout.write(`${toPlainJson({ models, problems: problems.map((problem) => problem.toWire()) })}\n`);
  } else if (models.length > 0) {
    context.stdout.write(`${renderModelList(models).join("\n")}\n`);
  }
  for (const problem of problems) printError(context.stderr, problem);
  const [first] = problems;
  return provider === undefined || first === undefined ? 0 : exitCodeOfError(first, context.progress);
}
