import type { FinishReason, ToolCallPart, ToolResultPart } from "@switchyard/contracts";
import type { AssistantTurn, ToolResultsTurn, Turn } from "../conversation/turn.ts";
import type { SessionCore } from "../session/session-core.ts";
import { finishReasonOf, problemOf } from "./finish-action.ts";

/** Finish reasons after which tool calls may be incomplete or wrong. */
const CUT_OFF: ReadonlySet<FinishReason["unified"]> = new Set(["length", "error", "content_filter"]);

/** Returns whether a response with tool calls ended abnormally, so that each of its tool calls may be incomplete. */
export function hasCutOffCalls(turn: AssistantTurn): boolean {
  return turn.toolCalls.length > 0 && CUT_OFF.has(finishReasonOf(turn).unified);
}

function refusalOf(turn: AssistantTurn): string {
  const problem = (problemOf(turn) ?? "did not end").replace(/\.$/, "");
  return `Not executed: your response ${problem}. This call may be incomplete. Send it again, and split large arguments into several calls.`;
}

/** Returns the number of consecutive cut-off responses with tool calls, up to and including the last response. */
function cutOffRounds(turns: readonly Turn[]): number {
  let count = 0;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const turn = turns[index];
    if (turn?.type === "user" || turn === undefined) break;
    if (turn.type !== "assistant") continue;
    if (!hasCutOffCalls(turn)) break;
    count += 1;
  }
  return count;
}

/** Returns whether the model is allowed another attempt to send the tool calls of its last, cut-off response. */
export function mayContinueCalls({ conversation, config }: SessionCore, turn: AssistantTurn): boolean {
  const { unified } = finishReasonOf(turn);
  if (unified === "content_filter") return false;
  const most = unified === "length" ? config.maxContinuations : config.maxResponseRetries;
  return cutOffRounds(conversation.turns) <= most;
}

function refuse(core: SessionCore, call: ToolCallPart, content: string): ToolResultPart {
  const { id, name } = call;
  core.emit("tool_call_end", {
    type: "tool_result",
    tool_call_id: id,
    name,
    content,
    is_error: true,
    details: { outcome: "not_executed", arguments: call.arguments },
  });
  return { type: "tool_result", toolCallId: id, name, content, isError: true };
}

/** Creates error results for all calls of a cut-off response. None of the calls is executed. */
export function refuseCutOffCalls(core: SessionCore, turn: AssistantTurn): ToolResultsTurn {
  const content = refusalOf(turn);
  const results = turn.toolCalls.map((call) => refuse(core, call, content));
  return { type: "tool_results", results, timestamp: core.events.timestamp() };
}
