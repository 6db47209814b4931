import type { EnvironmentRecord } from "../agent/model-choice.ts";
import { openModelClient } from "../agent/open-model-client.ts";
import { createModelJudge, type EvalJudge } from "./assertion/judge.ts";
import type { JudgeChoice } from "./config/eval-suite.ts";

/**
 * Opens the model that judges, with retries and list prices; its key comes from the environment. Rejects with
 * `model.*` errors, before anything is asked.
 */
export async function openJudge({ model, baseUrl }: JudgeChoice, env: EnvironmentRecord): Promise<EvalJudge> {
  return createModelJudge(await openModelClient(model, { env, baseUrl }));
}
