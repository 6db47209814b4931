import type { EngineError, FinishReason, ModelRequest, Part, Usage } from "@switchyard/contracts";

/** One response of the scripted model. */
export interface AnswerStep {
  readonly kind: "answer";
  /** Parts of the response's message. Tool calls with an empty id get an id when the scripted model responds. */
  readonly parts: readonly Part[];
  /** Finish reason. Default: derived from the parts. */
  readonly finishReason?: FinishReason | undefined;
  /** Token usage. Default: estimated from the texts. */
  readonly usage?: Usage | undefined;
}

/** A failure of the scripted model. */
export interface FailureStep {
  readonly kind: "failure";
  /** Error with which the call of the model rejects. */
  readonly error: EngineError;
  /** Content that a streamed call delivers before it fails. */
  readonly after?: AnswerStep | undefined;
}

/**
 * One step of a model script, which determines the outcome of one model call: a response, a failure, or a function that
 * derives it from the request.
 */
export type ScriptStep = AnswerStep | FailureStep | ((request: ModelRequest) => AnswerStep | FailureStep);

/** A tool call of a script. */
export interface ScriptedToolCall {
  /** Name of the tool. */
  readonly name: string;
  /** Arguments: plain data, or JSON text that is passed unchanged, valid or not. */
  readonly arguments: unknown;
  /** Id of the call. Default: `call_1`, `call_2`, … */
  readonly id?: string | undefined;
}

function toPart({ name, arguments: input, id = "" }: ScriptedToolCall): Part {
  return { type: "tool_call", id, name, arguments: typeof input === "string" ? input : JSON.stringify(input) };
}

/** Creates a response with a text. */
export function text(content: string): AnswerStep {
  return { kind: "answer", parts: [{ type: "text", text: content }] };
}

/** Creates a response with reasoning, to be combined by {@link answer}. */
export function reasoning(content: string): AnswerStep {
  return { kind: "answer", parts: [{ type: "thinking", text: content }] };
}

/** Creates a response with one tool call. Arguments are plain data, or JSON text that is passed unchanged. */
export function toolCall(name: string, input: unknown = {}, options: { id?: string | undefined } = {}): AnswerStep {
  return toolCalls([{ name, arguments: input, id: options.id }]);
}

/** Creates a response with several tool calls. */
export function toolCalls(calls: readonly ScriptedToolCall[]): AnswerStep {
  return { kind: "answer", parts: calls.map(toPart) };
}

/** Combines several responses into one: `answer(reasoning("…"), text("…"), toolCall("shell", { … }))`. */
export function answer(...steps: readonly AnswerStep[]): AnswerStep {
  const finishReason = steps.findLast((step) => step.finishReason !== undefined)?.finishReason;
  const usage = steps.findLast((step) => step.usage !== undefined)?.usage;
  return { kind: "answer", parts: steps.flatMap((step) => step.parts), finishReason, usage };
}

/** Creates a script step at which the model call fails. A streamed call may deliver content first. */
export function failure(error: EngineError, options: { after?: AnswerStep | undefined } = {}): FailureStep {
  return { kind: "failure", error, after: options.after };
}
