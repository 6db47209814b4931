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

/** One answer of the model, with the results of the tools it called. */
export interface GenerateStep {
  /** The text of the answer. */
  text: string;
  /** The reasoning that came with it. */
  reasoning: string;
  /** The calls it asked for, in order. */
  toolCalls: readonly ToolCallPart[];
  /** Their results, in the same order; empty when they were not run. */
  toolResults: readonly ToolResultPart[];
  /** Why the model stopped. */
  finishReason: FinishReason;
  /** Tokens and cost of this answer. */
  usage: Usage;
  /** What the provider ignored or changed. */
  warnings: readonly string[];
  /** The whole answer. */
  response: ModelResponse;
}

/** What was generated: the last answer, and how it came about. unified-llm-client: high level. */
export interface GenerateResult extends GenerateStep {
  /** Tokens and cost of all answers together; those of the last one alone are in `response`. */
  usage: Usage;
  /** All answers, the last one included. */
  steps: readonly GenerateStep[];
  /** What came after the messages that were given: append it to them to go on. */
  messages: readonly Message[];
}

/** What happens while something is generated: the events of each answer, the results of tools, the end of each step. */
export type GenerateEvent =
  | StreamEvent
  | { type: "tool_result"; result: ToolResultPart }
  | { type: "step_end"; step: GenerateStep };

function reasoningOf({ parts }: Message): string {
  let text = "";
  for (const part of parts) if (part.type === "thinking") text += part.text;
  return text;
}

/** One answer and the results of its calls. */
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

/** The message that answers a step's calls. */
export function toolMessage(toolResults: readonly ToolResultPart[]): Message {
  return { role: "tool", parts: toolResults };
}

/** The result after the last step. */
export function toResult(last: GenerateStep, steps: readonly GenerateStep[]): GenerateResult {
  const usage = steps.reduce<Usage>((sum, step) => addUsage(sum, step.usage), { ...NO_USAGE });
  const messages = steps.flatMap(({ response, toolResults }) =>
    toolResults.length === 0 ? [response.message] : [response.message, toolMessage(toolResults)],
  );
  const warnings = steps.flatMap((step) => step.warnings);
  return { ...last, usage, warnings, steps, messages };
}
