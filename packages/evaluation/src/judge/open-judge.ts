import { type EnvironmentRecord, openModelClient } from "@switchyard/runner";
import type { JudgeChoice } from "../suite/eval-suite.ts";
import { createModelJudge, type EvalJudge } from "./judge.ts";

/**
 * Opens the model that judges, with retries and list prices; its key comes from the environment. Rejects with
 * `model.*` errors, before anything is asked.
 */
export async function openJudge({ model, baseUrl }: JudgeChoice, env: EnvironmentRecord): Promise<EvalJudge> {
  return createModelJudge(await openModelClient(model, { env, baseUrl }));
}
