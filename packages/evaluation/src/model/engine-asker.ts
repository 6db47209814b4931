import type { ExecutionEnvironment } from "@switchyard/contracts";
import { createRunId, startSession } from "@switchyard/runner";
import { usageOfReport } from "../results/usage.ts";
import type { AttemptParts } from "../trial/attempt.ts";
import type { AskModel } from "./ask-model.ts";

/**
 * Creates a function that asks the engine of a trial, in a separate session in the trial's environment. Used if a
 * judge's model cannot be called directly.
 */
export function createEngineAsker(parts: AttemptParts, environment: ExecutionEnvironment, model: string): AskModel {
  const { trial, context, secrets } = parts;
  return async ({ instructions, question }, signal) => {
    const messages = [{ role: "user" as const, content: `${instructions}\n\n${question}` }];
    const handle = await startSession(
      { messages, case_id: trial.case.id, model },
      {
        runId: createRunId(context.now()),
        environment,
        secrets,
        stateDirectory: context.output,
        engine: trial.engine.engine,
        engineName: trial.engine.name,
        workspaceDiff: false,
        signal,
        createdBy: context.createdBy,
        now: context.now,
        timer: context.timer,
        attributes: { "eval.name": context.name, "eval.engine": trial.engine.id, "eval.judge": model },
      },
    );
    const { status, result, error, usage } = await handle.result;
    if (status !== "completed" || result === undefined)
      throw new Error(error?.message ?? `the engine that judges ended as ${status}`);
    return { text: result.final_message, usage: usageOfReport({ usage, result }) };
  };
}
