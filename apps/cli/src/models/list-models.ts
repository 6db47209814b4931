import { EngineError, toEngineError } from "@switchyard/contracts";
import { credentialsFile } from "@switchyard/engine-catalog";
import type { ListedModel, OfferedModel } from "@switchyard/llm";
import { findApiKey } from "@switchyard/runner";
import { printError, renderTable, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { exitCodeOfError } from "../program/exit-code.ts";
import { usageError } from "../program/usage-error.ts";
import type { ModelsOptions } from "./models-options.ts";

/**
 * Providers that are contacted if the user names none. The other providers are local servers, which are often not
 * running.
 */
const ASKED_BY_DEFAULT = ["anthropic", "openai", "gemini"];

interface Answer {
  readonly models: readonly ListedModel[];
  readonly problem?: EngineError | undefined;
}

/**
 * Prints known models, and the models offered by each provider that has an API key. Resolves with exit code 0. If a
 * provider named on the command line could not be contacted, resolves with the exit code of that error. Known models
 * are printed in either case.
 */
export async function listModels(context: CommandContext, options: ModelsOptions): Promise<number> {
  const { provider, json } = options;
  if (provider === undefined && options.baseUrl !== undefined) {
    throw usageError("--base-url requires a provider.", "models");
  }
  const known = (await import("@switchyard/llm")).knownProviders();
  if (provider !== undefined && !known.includes(provider)) {
    throw new EngineError("model.unknown_provider", { provider, known });
  }
  const providers = provider === undefined ? ASKED_BY_DEFAULT : [provider];
  const answers = await Promise.all(providers.map((name) => answerOf(context, name, options)));
  const models = answers.flatMap((answer) => answer.models);
  const problems = answers.flatMap(({ problem }) => problem ?? []);
  if (json === true) {
    context.stdout.write(`${toPlainJson({ models, problems: problems.map((problem) => problem.toWire()) })}\n`);
  } else if (models.length > 0) {
    context.stdout.write(`${render(models).join("\n")}\n`);
  }
  for (const problem of problems) printError(context.stderr, problem);
  const [first] = problems;
  return provider === undefined || first === undefined ? 0 : exitCodeOfError(first, context.progress);
}

async function answerOf(context: CommandContext, provider: string, options: ModelsOptions): Promise<Answer> {
  const llm = await import("@switchyard/llm");
  const nowMs = context.now();
  try {
    const offered = options.offers === false ? undefined : await offersOf(context, provider, options);
    return { models: llm.listedModels({ provider, offered, nowMs }) };
  } catch (error) {
    return { models: llm.listedModels({ provider, offered: undefined, nowMs }), problem: toEngineError(error) };
  }
}

/** Lists the models that a provider offers. `undefined` if there is no API key for the provider. */
async function offersOf(
  context: CommandContext,
  provider: string,
  options: ModelsOptions,
): Promise<readonly OfferedModel[] | undefined> {
  const { listOfferedModels } = await import("@switchyard/llm");
  // A key that is not specific to a provider is only sent to a provider that the command line names.
  const isNamed = options.provider !== undefined;
  const apiKey = isNamed ? await findApiKey({ provider, env: context.env, file: credentialsFile(context) }) : undefined;
  return listOfferedModels(provider, context.env, { apiKey, baseUrls: { [provider]: options.baseUrl } });
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
