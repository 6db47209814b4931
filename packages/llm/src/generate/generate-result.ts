import {
  addUsage,
  type FinishReason,
  type Message,
  type ModelResponse,
  NO_USAGE,
  type StreamEvent,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCallsOf,
  type Usage,
} from "@switchyard/contracts";

/** One response of the model, with the results of its tool calls. */
export interface GenerateStep {
  /** Text of the response. */
  text: string;
  /** Reasoning of the response. */
  reasoning: string;
  /** Requested tool calls, in order. */
  toolCalls: readonly ToolCallPart[];
  /** Results of the response's tool calls, in the order of the calls. Empty if the calls were not executed. */
  toolResults: readonly ToolResultPart[];
  /** Reason why the model stopped. */
  finishReason: FinishReason;
  /** Tokens and cost of this response. */
  usage: Usage;
  /** Settings that the provider ignored or changed. */
  warnings: readonly string[];
  /** Complete response. */
  response: ModelResponse;
}

/** Result of a generation: the last response, and all steps. See unified-llm-client: high level. */
export interface GenerateResult extends GenerateStep {
  /** Tokens and cost of all responses together. `response` contains the usage of the last response alone. */
  usage: Usage;
  /** All steps, including the last one. */
  steps: readonly GenerateStep[];
  /** Messages created by the generation. To continue the conversation, append them to the messages of the request. */
  messages: readonly Message[];
}

/** Event of a generation: a response event, tool results, or the end of a step. */
export type GenerateEvent =
  | StreamEvent
  | { type: "tool_result"; result: ToolResultPart }
  | { type: "step_end"; step: GenerateStep };

function reasoningOf({ parts }: Message): string {
  let text = "";
  for (const part of parts) if (part.type === "thinking") text += part.text;
  return text;
}

/** Creates a step from a response and the results of its calls. */
export function toStep(response: ModelResponse, toolResults: readonly ToolResultPart[]): GenerateStep {
  const { message, finishReason, usage, warnings } = response;
  return {
    text: textOf(message),
    reasoning: reasoningOf(message),
    toolCalls: toolCallsOf(response),
    toolResults,
    finishReason,
    usage,
    warnings,
    response,
  };
}

/** Returns the message with the results of a step's calls. */
export function toolMessage(toolResults: readonly ToolResultPart[]): Message {
  return { role: "tool", parts: toolResults };
}

/** Returns the result after the last step. */
export function toResult(last: GenerateStep, steps: readonly GenerateStep[]): GenerateResult {
  const usage = steps.reduce<Usage>((sum, step) => addUsage(sum, step.usage), { ...NO_USAGE });
  const messages = steps.flatMap(({ response, toolResults }) =>
    toolResults.length === 0 ? [response.message] : [response.message, toolMessage(toolResults)],
  );
  const warnings = steps.flatMap((step) => step.warnings);
  return { ...last, usage, warnings, steps, messages };
}
