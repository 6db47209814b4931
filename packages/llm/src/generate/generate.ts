import type { Client } from "@switchyard/contracts";
import { type GenerateOptions, toGeneratePlan } from "./generate-options.ts";
import type { GenerateEvent, GenerateResult } from "./generate-result.ts";
import { createResultStream, type ResultStream } from "./result-stream.ts";
import { callComplete, callStreaming, runSteps } from "./run-steps.ts";

/** Text and tool calls while they are generated. */
export type GenerateStream = ResultStream<GenerateEvent, GenerateResult>;

/**
 * Generates text: asks the model, runs the tools it calls and asks again with their results. Retries are the client's:
 * wrap it in `withRetry`. Rejects with `config.invalid` for options that contradict each other, with `llm.*` as the
 * client does. unified-llm-client: high level.
 */
export async function generate(client: Client, options: GenerateOptions): Promise<GenerateResult> {
  const steps = runSteps(toGeneratePlan(options), callComplete(client));
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return next.value;
  }
}

/**
 * Generates text as `generate` does, and shows it while it comes. Nothing is asked before somebody reads the events or
 * waits for the result; leaving the events early ends it. Throws `config.invalid`. unified-llm-client: high level.
 */
export function streamGenerate(client: Client, options: GenerateOptions): GenerateStream {
  const plan = toGeneratePlan(options);
  return createResultStream(() => runSteps(plan, callStreaming(client)));
}
