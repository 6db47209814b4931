import { type EnvironmentRecord, openModelClient } from "@switchyard/runner";
import type { JudgeChoice } from "../suite/eval-suite.ts";
import { createModelJudge, type EvalJudge } from "./judge.ts";

/**
 * Creates a judge from a model reference, with retries and list prices. Reads the provider's API key from `env`.
 * Rejects with `model.*` before the first request.
 */
export async function openJudge({ model, baseUrl }: JudgeChoice, env: EnvironmentRecord): Promise<EvalJudge> {
  return createModelJudge(await openModelClient(model, { env, baseUrl }));
}
