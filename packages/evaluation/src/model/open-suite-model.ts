import { EngineError } from "@switchyard/contracts";
import { type EnvironmentRecord, type ModelClient, openModelClient } from "@switchyard/runner";
import { createSimulatedUser, type SimulateUser } from "../conversation/simulated-user.ts";
import { type AskJudge, createModelAsker } from "../judge/rubric-judge.ts";
import type { SimulatedUserChoice } from "../suite/eval-suite.ts";

/** Provider for APIs that speak the OpenAI protocol. */
const COMPATIBLE = "openai-compatible";

/**
 * Opens the model of a rubric judge. Resolves with `undefined` if the reference names no provider, or a provider without
 * an API key in `env`: the engine of the trial judges then.
 */
export async function openRubricJudge(model: string, env: EnvironmentRecord): Promise<AskJudge | undefined> {
  try {
    return createModelAsker(await openSuiteModel(model, env));
  } catch (error) {
    if (EngineError.is(error) && error.code.startsWith("model.")) return undefined;
    throw error;
  }
}

/** Opens the model of a simulated user. Rejects with `model.*` before the first request. */
export async function openSimulatedUser(
  { model, timeoutSeconds }: SimulatedUserChoice,
  env: EnvironmentRecord,
): Promise<SimulateUser> {
  return createSimulatedUser({ ...(await openSuiteModel(model, env)), timeoutSeconds });
}

/**
 * Opens a model whose provider may be any service with an OpenAI-compatible API: `acme/large` uses `ACME_API_KEY` and
 * `ACME_BASE_URL`.
 */
async function openSuiteModel(reference: string, env: EnvironmentRecord): Promise<ModelClient> {
  const slash = reference.indexOf("/");
  const [provider, model] = slash < 0 ? ["", reference] : [reference.slice(0, slash), reference.slice(slash + 1)];
  const prefix = provider.replace(/[^A-Za-z0-9]+/gu, "_").toUpperCase();
  const baseUrl = env[`${prefix}_BASE_URL`]?.trim() || undefined;
  if (KNOWN.includes(provider)) return openModelClient(reference, { env, baseUrl });
  const key = env[`${prefix}_API_KEY`]?.trim() ?? "";
  if (provider === "" || baseUrl === undefined || key === "")
    throw new EngineError("model.unknown_provider", { provider });
  return openModelClient(`${COMPATIBLE}/${model}`, {
    env: { ...env, OPENAI_COMPATIBLE_API_KEY: key, OPENAI_COMPATIBLE_BASE_URL: baseUrl },
    baseUrl,
  });
}

/** Providers that the model client knows. */
const KNOWN: readonly string[] = ["anthropic", "openai", "gemini", "openai-compatible"];
