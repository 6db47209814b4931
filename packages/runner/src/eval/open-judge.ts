import { type Client, EngineError } from "@switchyard/contracts";
import type { EnvironmentRecord } from "../agent/model-choice.ts";
import { createPricedClient } from "../agent/open-agent-engine.ts";
import { createModelJudge, type EvalJudge } from "./assertion/judge.ts";
import type { JudgeChoice } from "./config/eval-suite.ts";

/** What a server of the user's own is given where no key is set: it may want none. */
const NO_KEY = "no-key-was-set";

/**
 * Opens the model that judges, with retries and list prices; its key comes from the environment. Rejects with
 * `model.*` errors, before anything is asked.
 */
export async function openJudge({ model, baseUrl }: JudgeChoice, env: EnvironmentRecord): Promise<EvalJudge> {
  const llm = await import("@switchyard/llm");
  const { provider, model: name } = llm.parseModelReference(model);
  const open = (apiKey?: string): Client => createPricedClient(provider, { env, baseUrl, apiKey }, llm);
  let client: Client;
  try {
    client = open();
  } catch (error) {
    if (baseUrl === undefined || !EngineError.is(error, "model.missing_key")) throw error;
    client = open(NO_KEY);
  }
  return createModelJudge({ client: llm.withRetry(client), provider, model: name });
}
