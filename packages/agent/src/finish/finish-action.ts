import type { FinishReason } from "@switchyard/contracts";
import type { AssistantTurn, Turn } from "../conversation/turn.ts";

/** Action of the loop after a response without tool calls. Depends on the finish reason and the content. */
export type FinishAction =
  /** The input is complete. */
  | { readonly kind: "end" }
  /** The model is called again with a description of the problem, up to a limit. */
  | { readonly kind: "repair"; readonly message: string }
  /**
   * The model is asked to continue its response, up to a limit. `message` is added to the conversation. If it is
   * `undefined`, the conversation is sent again as it is, with the incomplete response at its end.
   */
  | { readonly kind: "continue"; readonly message?: string | undefined };

/** Limits for retries and continuations of incomplete responses. */
export interface FinishBounds {
  /** Maximum number of consecutive retries of empty or invalid responses. */
  readonly maxResponseRetries: number;
  /** Maximum number of consecutive continuations of a response. */
  readonly maxContinuations: number;
}

const END: FinishAction = { kind: "end" };

const CONTINUE =
  "Your last response was cut off at the output limit. Continue exactly where it ended. Do not repeat what you have already written.";

/**
 * Returns the finish reason of a turn. If the turn stores none, its reason is the usual one: `tool_calls` if it has
 * tool calls, otherwise `stop`.
 */
export function finishReasonOf({ finishReason, toolCalls }: AssistantTurn): FinishReason {
  return finishReason ?? { unified: toolCalls.length > 0 ? "tool_calls" : "stop" };
}

/** Returns whether the content of the response already shows its finish reason, so that the turn need not store it. */
export function isUsualFinish({ unified, problem, isPaused }: FinishReason, hasToolCalls: boolean): boolean {
  return unified === (hasToolCalls ? "tool_calls" : "stop") && problem === undefined && isPaused !== true;
}

/**
 * Describes the problem of a response as a sentence fragment without its grammatical subject. `undefined` if the
 * response ended normally.
 */
export function problemOf(turn: AssistantTurn): string | undefined {
  const { unified, raw, problem } = finishReasonOf(turn);
  const rawNote = raw === undefined || raw === unified ? "" : ` (${raw})`;
  switch (unified) {
    case "stop":
      return turn.content.trim() === "" && turn.toolCalls.length === 0 ? "was empty" : undefined;
    case "tool_calls":
      return turn.toolCalls.length === 0 ? "announced tool calls and contained none" : undefined;
    case "length":
      return `was cut off at the model's output limit${rawNote}`;
    case "content_filter":
      return `was withheld or cut off by the provider's content filter${rawNote}`;
    case "error":
      return `ended with an error${rawNote}${problem === undefined ? "" : `: ${problem}`}`;
    case "other":
      return `ended for another reason${rawNote}`;
  }
}

function repairMessage(problem: string): string {
  const clause = problem.replace(/\.$/, "");
  return `Your last response ${clause}. Continue with the task: call the tools you need with valid arguments, or reply with your result as text.`;
}

/** Returns the action for one response, ignoring earlier responses. */
function actionFor(turn: AssistantTurn): FinishAction {
  const { unified, isPaused } = finishReasonOf(turn);
  if (isPaused === true) return { kind: "continue" };
  if (unified === "length") return { kind: "continue", message: CONTINUE };
  if (unified === "content_filter" || unified === "other") return END;
  const problem = problemOf(turn);
  return problem === undefined ? END : { kind: "repair", message: repairMessage(problem) };
}

/** Yields the most recent responses, newest first. Stops at a tool result or a user message. */
function* lastResponses(turns: readonly Turn[]): Iterable<AssistantTurn> {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn?.type === "assistant") yield turn;
    else if (turn?.type !== "steering") return;
  }
}

/**
 * Returns the action of the loop after the last model response, which has no tool calls. `bounds` limits how many
 * consecutive responses may lead to the same action. These responses are counted in the history, so that resuming a
 * session does not reset the count.
 */
export function finishActionOf(turns: readonly Turn[], bounds: FinishBounds): FinishAction {
  let action: FinishAction | undefined;
  let count = 0;
  for (const turn of lastResponses(turns)) {
    const turnAction = actionFor(turn);
    action ??= turnAction;
    if (turnAction.kind !== action.kind) break;
    count += 1;
  }
  if (action === undefined || action.kind === "end") return END;
  const most = action.kind === "repair" ? bounds.maxResponseRetries : bounds.maxContinuations;
  return count <= most ? action : END;
}
