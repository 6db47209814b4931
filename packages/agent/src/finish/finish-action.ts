import type { FinishReason } from "@switchyard/contracts";
import type { AssistantTurn, Turn } from "../conversation/turn.ts";

/** What the loop does about a response that asks for no tool. Decided by its finish reason and its content. */
export type FinishAction =
  /** The input is done. */
  | { readonly kind: "end" }
  /** The model is told what is wrong and asked again, a bounded number of times. */
  | { readonly kind: "repair"; readonly message: string }
  /** The model is asked to continue, a bounded number of times; without a message the response is sent back as it is. */
  | { readonly kind: "continue"; readonly message?: string | undefined };

/** How often the loop asks again. */
export interface FinishBounds {
  /** Retries of responses that are empty or wrong, in a row. */
  readonly maxResponseRetries: number;
  /** Continuations of a response, in a row. */
  readonly maxContinuations: number;
}

const END: FinishAction = { kind: "end" };

const CONTINUE =
  "Your last response was cut off at the output limit. Continue exactly where it ended. Do not repeat what you have already written.";

/** The finish reason of a turn. Turns of usual responses do not store one. */
export function finishReasonOf({ finishReason, toolCalls }: AssistantTurn): FinishReason {
  return finishReason ?? { unified: toolCalls.length > 0 ? "tool_calls" : "stop" };
}

/** Whether a finish reason says no more than the turn itself, so that it need not be stored. */
export function isUsualFinish({ unified, problem, isPaused }: FinishReason, hasToolCalls: boolean): boolean {
  return unified === (hasToolCalls ? "tool_calls" : "stop") && problem === undefined && isPaused !== true;
}

/** What is wrong with a response, as a clause; `undefined` for one that ended as it should. */
export function problemOf(turn: AssistantTurn): string | undefined {
  const { unified, raw, problem } = finishReasonOf(turn);
  const said = raw === undefined || raw === unified ? "" : ` (${raw})`;
  switch (unified) {
    case "stop":
      return turn.content.trim() === "" && turn.toolCalls.length === 0 ? "was empty" : undefined;
    case "tool_calls":
      return turn.toolCalls.length === 0 ? "announced tool calls and contained none" : undefined;
    case "length":
      return `was cut off at the model's output limit${said}`;
    case "content_filter":
      return `was withheld or cut off by the provider's content filter${said}`;
    case "error":
      return `ended with an error${said}${problem === undefined ? "" : `: ${problem}`}`;
    case "other":
      return `ended for another reason${said}`;
  }
}

function repairMessage(problem: string): string {
  const clause = problem.replace(/\.$/, "");
  return `Your last response ${clause}. Continue with the task: call the tools you need with valid arguments, or reply with your result as text.`;
}

/** What to do about one response, whatever came before it. */
function actionFor(turn: AssistantTurn): FinishAction {
  const { unified, isPaused } = finishReasonOf(turn);
  if (isPaused === true) return { kind: "continue" };
  if (unified === "length") return { kind: "continue", message: CONTINUE };
  if (unified === "content_filter" || unified === "other") return END;
  const problem = problemOf(turn);
  return problem === undefined ? END : { kind: "repair", message: repairMessage(problem) };
}

/** Responses at the end of a conversation, newest first, between which neither a tool ran nor the user spoke. */
function* lastResponses(turns: readonly Turn[]): Iterable<AssistantTurn> {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn?.type === "assistant") yield turn;
    else if (turn?.type !== "steering") return;
  }
}

/**
 * What the loop does about the last response of a conversation, which asks for no tool. The bounds count responses in a
 * row, so that a resumed session does not start over.
 */
export function finishActionOf(turns: readonly Turn[], bounds: FinishBounds): FinishAction {
  let action: FinishAction | undefined;
  let count = 0;
  for (const turn of lastResponses(turns)) {
    const own = actionFor(turn);
    action ??= own;
    if (own.kind !== action.kind) break;
    count += 1;
  }
  if (action === undefined || action.kind === "end") return END;
  const most = action.kind === "repair" ? bounds.maxResponseRetries : bounds.maxContinuations;
  return count <= most ? action : END;
}
