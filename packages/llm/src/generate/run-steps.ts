import { type Client, EngineError, type ModelRequest, type ModelResponse, toolCallsOf } from "@switchyard/contracts";
import type { GeneratePlan } from "./generate-options.ts";
import {
  type GenerateEvent,
  type GenerateResult,
  type GenerateStep,
  toolMessage,
  toResult,
  toStep,
} from "./generate-result.ts";
import { runTools } from "./run-tools.ts";

/** Calls the model. Yields response events, then the response. */
export type CallModel = (request: ModelRequest) => AsyncGenerator<GenerateEvent, ModelResponse, undefined>;

/** Creates a `CallModel` that requests complete responses, so it yields no events. */
export function callComplete(client: Client): CallModel {
  // biome-ignore lint/correctness/useYield: a complete response has no stream events
  return async function* ask(request) {
    return await client.complete(request);
  };
}

/** Creates a `CallModel` for streamed responses. */
export function callStreaming(client: Client): CallModel {
  return async function* ask(request) {
    let response: ModelResponse | undefined;
    for await (const event of client.stream(request)) {
      if (event.type === "finish") response = event.response;
      yield event;
    }
    if (response !== undefined) return response;
    const problem = "it ended without a final event";
    throw new EngineError("llm.stream_broken", { provider: request.provider, model: request.model, problem });
  };
}

/** Returns whether all calls are for tools that can be executed here or do not exist. */
function canRun(response: ModelResponse, { tools }: GeneratePlan): boolean {
  const calls = toolCallsOf(response);
  return calls.length > 0 && calls.every(({ name }) => tools.get(name)?.execute !== undefined || !tools.has(name));
}

function requestOf(plan: GeneratePlan, steps: readonly GenerateStep[]): ModelRequest {
  const { settings } = plan;
  if (steps.length === 0) return { ...settings, messages: plan.messages };
  const newMessages = steps.flatMap(({ response, toolResults }) => [response.message, toolMessage(toolResults)]);
  // A forced tool choice applies only to the first round. Otherwise the model could never respond with text.
  const isForced = settings.toolChoice !== undefined && settings.toolChoice !== "none";
  return {
    ...settings,
    ...(isForced ? { toolChoice: "auto" as const } : {}),
    messages: [...plan.messages, ...newMessages],
  };
}

/**
 * Calls the model, executes the response's tool calls, and calls the model again with the results. Ends when a response
 * has no tool calls, the maximum number of rounds is reached, or a call must be executed by the caller. See
 * unified-llm-client: high level.
 */
export async function* runSteps(
  plan: GeneratePlan,
  ask: CallModel,
): AsyncGenerator<GenerateEvent, GenerateResult, undefined> {
  const { signal } = plan.settings;
  const steps: GenerateStep[] = [];
  for (;;) {
    const response = yield* ask(requestOf(plan, steps));
    const continues = steps.length < plan.maxToolRounds && canRun(response, plan);
    const toolResults = continues ? await runTools(toolCallsOf(response), { tools: plan.tools, signal }) : [];
    for (const result of toolResults) yield { type: "tool_result", result };
    const step = toStep(response, toolResults);
    steps.push(step);
    await plan.onStep?.(step);
    yield { type: "step_end", step };
    if (!continues) return toResult(step, steps);
  }
}
