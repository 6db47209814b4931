import { EngineError } from "@switchyard/contracts";
import { type EnvironmentRecord, type ModelClient, openModelClient } from "@switchyard/runner";
import type { ModelChoice } from "../suite/eval-suite.ts";
import { type AskModel, createModelAsker } from "./ask-model.ts";

/** Opens a model that judges or plays the simulated user. Contract: rejects with `model.*` if it cannot be called. */
export type OpenEvalModel = (choice: ModelChoice) => Promise<AskModel>;

/** Provider for APIs that speak the OpenAI protocol. */
const COMPATIBLE = "openai-compatible";

/** Providers that the model client knows. */
const KNOWN: readonly string[] = ["anthropic", "openai", "gemini", COMPATIBLE];

/**
 * Opens a model that judges or plays the simulated user, with retries and list prices. Reads the provider's API key
 * from `env`. The provider may be any service with an OpenAI-compatible API: `acme/large` uses `ACME_API_KEY` and
 * `ACME_BASE_URL`. Rejects with `model.*` before the first request.
 */
export async function openEvalModel(choice: ModelChoice, env: EnvironmentRecord): Promise<AskModel> {
  return createModelAsker(await openClient(choice, env));
}

async function openClient(
  { model: reference, baseUrl: given }: ModelChoice,
  env: EnvironmentRecord,
): Promise<ModelClient> {
  const slash = reference.indexOf("/");
  const [provider, model] = slash < 0 ? ["", reference] : [reference.slice(0, slash), reference.slice(slash + 1)];
  const prefix = provider.replace(/[^A-Za-z0-9]+/gu, "_").toUpperCase();
  const baseUrl = given ?? (env[`${prefix}_BASE_URL`]?.trim() || undefined);
  if (KNOWN.includes(provider)) return openModelClient(reference, { env, baseUrl });
  const key = env[`${prefix}_API_KEY`]?.trim() ?? "";
  if (provider === "" || baseUrl === undefined || key === "")
    throw new EngineError("model.unknown_provider", { provider });
  return openModelClient(`${COMPATIBLE}/${model}`, {
    env: { ...env, OPENAI_COMPATIBLE_API_KEY: key, OPENAI_COMPATIBLE_BASE_URL: baseUrl },
    baseUrl,
  });
}

/** Returns a key that identifies a model of an evaluation. */
export function keyOfModel({ model, baseUrl }: ModelChoice): string {
  return JSON.stringify([model, baseUrl ?? null]);
}
