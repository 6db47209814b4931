import type { Client } from "@switchyard/contracts";
import { type GenerateOptions, toGeneratePlan } from "./generate-options.ts";
import type { GenerateEvent, GenerateResult } from "./generate-result.ts";
import { createResultStream, type ResultStream } from "./result-stream.ts";
import { callComplete, callStreaming, runSteps } from "./run-steps.ts";

/** Stream of text and tool calls. */
export type GenerateStream = ResultStream<GenerateEvent, GenerateResult>;

/**
 * Generates text: calls the model, executes the response's tool calls, and calls the model again with the results. Does
 * not retry; wrap the client in `withRetry`. Rejects with `config.invalid` for contradictory options, and with the
 * client's `llm.*` errors. See unified-llm-client: high level.
 */
export async function generate(client: Client, options: GenerateOptions): Promise<GenerateResult> {
  const steps = runSteps(toGeneratePlan(options), callComplete(client));
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return next.value;
  }
}

/**
 * Generates text like `generate`, and streams it. The model is called when the events are read or the result is
 * awaited; abandoning the events stops the generation. Throws `config.invalid`. See unified-llm-client: high level.
 */
export function streamGenerate(client: Client, options: GenerateOptions): GenerateStream {
  const plan = toGeneratePlan(options);
  return createResultStream(() => runSteps(plan, callStreaming(client)));
}
