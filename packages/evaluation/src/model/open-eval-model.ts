import { EngineError, type SharedModelBudget } from "@switchyard/contracts";
import { type EnvironmentRecord, type ModelClient, openModelClient } from "@switchyard/runner";
import type { ModelChoice } from "../suite/eval-suite.ts";
import { type AskModel, createModelAsker } from "./ask-model.ts";

/** Opens a model that judges or plays the simulated user. Contract: rejects with `model.*` if it cannot be called. */
export type OpenEvalModel = (choice: ModelChoice) => Promise<AskModel>;

/** Providers that the model client knows. */
const KNOWN: readonly string[] = ["anthropic", "openai", "gemini", "openai-compatible"];

/**
 * For each protocol, the provider through which services without a built-in provider are called. `prefix` is the prefix
 * of the environment variables for its API key and base URL.
 */
const SUBSTITUTES = {
  openai: { provider: "openai-compatible", prefix: "OPENAI_COMPATIBLE" },
  anthropic: { provider: "anthropic", prefix: "ANTHROPIC" },
} as const;

/**
 * Opens a model that judges or plays the simulated user, with retries and list prices. Reads the provider's API key
 * from `env`. The provider may be any service with OpenAI's API, or with Anthropic's API if `protocol` is `anthropic`.
 * For example, `acme/large` uses `ACME_API_KEY` and `ACME_BASE_URL`. Rejects with `model.*` before the first request. Each call is reserved in
 * `budget` if it is given, and rejects with `budget.*` like the model calls of a run.
 */
export async function openEvalModel(
  choice: ModelChoice,
  env: EnvironmentRecord,
  budget?: SharedModelBudget,
): Promise<AskModel> {
  const opened = await openClient(choice, env);
  if (budget === undefined) return createModelAsker(opened);
  const { withSharedBudget } = await import("@switchyard/llm");
  return createModelAsker({ ...opened, client: withSharedBudget(opened.client, budget, opened) });
}

async function openClient(
  { model: reference, baseUrl: given, protocol }: ModelChoice,
  env: EnvironmentRecord,
): Promise<ModelClient> {
  const slash = reference.indexOf("/");
  const [provider, model] = slash < 0 ? ["", reference] : [reference.slice(0, slash), reference.slice(slash + 1)];
  const prefix = provider.replace(/[^A-Za-z0-9]+/gu, "_").toUpperCase();
  const baseUrl = given ?? (env[`${prefix}_BASE_URL`]?.trim() || undefined);
  // A model that is requested through the API of another provider, such as an OpenAI model through Anthropic's API, is
  // called as a custom service.
  const isForeign =
    protocol === "anthropic" ? provider !== "anthropic" : protocol === "openai" && provider === "anthropic";
  if (KNOWN.includes(provider) && !isForeign) return openModelClient(reference, { env, baseUrl });
  const key = env[`${prefix}_API_KEY`]?.trim() ?? "";
  if (provider === "") throw new EngineError("model.invalid_name", { model: reference });
  if (key === "") throw new EngineError("model.missing_key", { provider, variable: `${prefix}_API_KEY` });
  if (baseUrl === undefined)
    throw new EngineError("model.missing_address", { provider, variable: `${prefix}_BASE_URL` });
  const substitute = SUBSTITUTES[protocol ?? "openai"];
  return openModelClient(`${substitute.provider}/${model}`, {
    env: { ...env, [`${substitute.prefix}_API_KEY`]: key, [`${substitute.prefix}_BASE_URL`]: baseUrl },
    baseUrl,
  });
}

/** Returns a key that identifies a model of an evaluation. */
export function keyOfModel({ model, baseUrl, protocol }: ModelChoice): string {
  return JSON.stringify([model, baseUrl ?? null, ...(protocol === undefined ? [] : [protocol])]);
}
