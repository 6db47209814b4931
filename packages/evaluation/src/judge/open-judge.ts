import { type EnvironmentRecord, openModelClient } from "@switchyard/runner";
import type { JudgeChoice } from "../suite/eval-suite.ts";
import { createModelJudge, type EvalJudge } from "./judge.ts";

/**
 * Opens the judge's model with retries and list prices; reads its API key from `env`. Rejects with `model.*` before the
 * first request.
 */
export async function openJudge({ model, baseUrl }: JudgeChoice, env: EnvironmentRecord): Promise<EvalJudge> {
  return createModelJudge(await openModelClient(model, { env, baseUrl }));
}
