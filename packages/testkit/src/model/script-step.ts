import type { EngineError, FinishReason, ModelRequest, Part, Usage } from "@switchyard/contracts";

/** What the scripted model says in one answer. */
export interface AnswerStep {
  readonly kind: "answer";
  /** The parts of its message; tool calls with an empty id get one when they are played. */
  readonly parts: readonly Part[];
  /** Why it stops; found out from the parts when unset. */
  readonly finishReason?: FinishReason | undefined;
  /** Tokens; counted from the lengths of the texts when unset. */
  readonly usage?: Usage | undefined;
}

/** How the scripted model fails. */
export interface FailureStep {
  readonly kind: "failure";
  /** What the call rejects with. */
  readonly error: EngineError;
  /** What a stream still says before it breaks. */
  readonly after?: AnswerStep | undefined;
}

/** One call of the script: an answer, a failure, or a function that looks at the request first. */
export type ScriptStep = AnswerStep | FailureStep | ((request: ModelRequest) => AnswerStep | FailureStep);

/** A tool call of a script. */
export interface ScriptedToolCall {
  /** Name of the tool. */
  readonly name: string;
  /** Arguments: plain data, or JSON text that is passed on as it is, broken or not. */
  readonly arguments: unknown;
  /** Id of the call; `call_1`, `call_2`, … when unset. */
  readonly id?: string | undefined;
}

function toPart({ name, arguments: input, id = "" }: ScriptedToolCall): Part {
  return { type: "tool_call", id, name, arguments: typeof input === "string" ? input : JSON.stringify(input) };
}

/** The model says a text. */
export function text(content: string): AnswerStep {
  return { kind: "answer", parts: [{ type: "text", text: content }] };
}

/** The model shows some reasoning; meant to be joined with others by {@link answer}. */
export function reasoning(content: string): AnswerStep {
  return { kind: "answer", parts: [{ type: "thinking", text: content }] };
}

/** The model calls one tool. Arguments are plain data, or JSON text that is passed on as it is. */
export function toolCall(name: string, input: unknown = {}, options: { id?: string | undefined } = {}): AnswerStep {
  return toolCalls([{ name, arguments: input, id: options.id }]);
}

/** The model calls several tools in one answer. */
export function toolCalls(calls: readonly ScriptedToolCall[]): AnswerStep {
  return { kind: "answer", parts: calls.map(toPart) };
}

/** One answer made of several: `answer(reasoning("…"), text("…"), toolCall("shell", { … }))`. */
export function answer(...steps: readonly AnswerStep[]): AnswerStep {
  const finishReason = steps.findLast((step) => step.finishReason !== undefined)?.finishReason;
  const usage = steps.findLast((step) => step.usage !== undefined)?.usage;
  return { kind: "answer", parts: steps.flatMap((step) => step.parts), finishReason, usage };
}

/** The call fails; a stream may say something first. */
export function failure(error: EngineError, options: { after?: AnswerStep | undefined } = {}): FailureStep {
  return { kind: "failure", error, after: options.after };
}
