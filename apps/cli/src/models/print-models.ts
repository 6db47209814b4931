import type { ListedModel } from "@switchyard/llm";
import { printError, renderTable, toPlainJson } from "@switchyard/terminal";
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
    context.stdout.write(`${render(models).join("\n")}\n`);
  }
  for (const problem of problems) printError(context.stderr, problem);
  const [first] = problems;
  return provider === undefined || first === undefined ? 0 : exitCodeOfError(first, context.progress);
}

function tokens(count: number | undefined): string {
  return count === undefined ? "?" : count.toLocaleString("en-US");
}

function dollars(amount: number | undefined): string {
  return amount === undefined ? "?" : `$${amount}`;
}

function priceOf({ prices }: ListedModel): string {
  if (prices === undefined) return "price unknown";
  const read = prices.cache_read === undefined ? "" : `, ${dollars(prices.cache_read)} cached`;
  return `${dollars(prices.input)} in${read}, ${dollars(prices.output)} out (${prices.as_of ?? "undated"})`;
}

function standing({ is_known, is_offered }: ListedModel): string {
  if (is_offered === undefined) return "";
  if (!is_known) return "available, not in the catalog";
  return is_offered ? "available" : "not available";
}

function render(models: readonly ListedModel[]): readonly string[] {
  const rows = models.map((model) => [
    `${model.is_default ? "*" : " "} ${model.model}`,
    `context ${tokens(model.context_window)}`,
    `output ${tokens(model.max_output)}`,
    priceOf(model),
    standing(model),
  ]);
  return renderTable(rows);
}
