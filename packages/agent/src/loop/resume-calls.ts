import type { EffectJournal, ToolCallPart, ToolResultPart } from "@switchyard/contracts";
import { isRecord } from "../checkpoint/is-part.ts";
import { isResult } from "../checkpoint/is-turn.ts";
import type { AssistantTurn, ToolResultsTurn } from "../conversation/turn.ts";
import { isRepeatable } from "../pipeline/is-repeatable.ts";
import type { SessionCore } from "../session/session-core.ts";
import { type ExecutedCall, executeSingleTool, runCalls } from "./execute-tool-calls.ts";
import { repeatedOutcome } from "./repeated-calls.ts";

/** Returns the result for a call that may have been running when the process ended, with advice for the model. */
function unknownOutcome(core: SessionCore, call: ToolCallPart, turn: AssistantTurn): ToolResultPart {
  const hasTool = core.registry.get(call.name) !== undefined;
  const content = [
    `unknown_outcome: the run was cut off after this call was requested (${turn.timestamp}) and before its outcome was recorded.`,
    "The call may have taken effect completely, partly or not at all. It was not repeated.",
    hasTool ? "" : `The tool ${call.name} is no longer offered.`,
    "Check the current state before you repeat it.",
  ];
  return {
    type: "tool_result",
    toolCallId: call.id,
    name: call.name,
    content: content.filter((line) => line !== "").join(" "),
    isError: true,
  };
}

/** Reports that the outcome of a call is unknown. See durability promise D5. */
function reportUnknownOutcome(core: SessionCore, call: ToolCallPart, turn: AssistantTurn): ExecutedCall {
  const result = unknownOutcome(core, call, turn);
  core.emit("tool_call_end", {
    type: "tool_result",
    tool_call_id: call.id,
    name: call.name,
    content: result.content,
    is_error: true,
    details: { outcome: "unknown_outcome", asked_at: turn.timestamp, arguments: call.arguments },
  });
  return { result, durationMs: null };
}

/**
 * Writes the calls of a response to the journal before they start. The result of a duplicate call is written at once,
 * because a later process cannot recognise the duplicate.
 */
export function declareCalls(core: SessionCore, journal: EffectJournal, { toolCalls }: AssistantTurn): void {
  journal.intend(
    toolCalls.map(({ id, name, arguments: text }) => {
      return { id, name, effects: core.registry.get(name)?.effects ?? "unsafe", arguments: text };
    }),
  );
  for (const call of toolCalls) {
    const repeated = repeatedOutcome(call);
    if (repeated === undefined) continue;
    const { id: toolCallId, name } = call;
    const result = { type: "tool_result", toolCallId, name, content: repeated.content, isError: true } as const;
    journal.end(toolCallId, { result, durationMs: null });
  }
}

function isExecutedCall(value: unknown): value is ExecutedCall {
  if (!isRecord(value) || !isResult(value["result"])) return false;
  return value["durationMs"] === null || typeof value["durationMs"] === "number";
}

/** Returns the result of a call that the journal contains; `undefined` if there is none. */
function recordedCall(core: SessionCore, call: ToolCallPart): ExecutedCall | undefined {
  const status = core.effectJournal?.find(call.id);
  return status?.kind === "done" && isExecutedCall(status.outcome) ? status.outcome : undefined;
}

/**
 * Returns results for the calls of a response that an earlier process may have started. Results in the journal are
 * reused. Repeatable calls, and calls that no process has started according to the journal, are executed. The outcome
 * of the others is unknown. See architecture: decision 18; durability promises D4, D5.
 */
export async function resumeCalls(core: SessionCore, turn: AssistantTurn): Promise<ToolResultsTurn> {
  return runCalls(core, turn.toolCalls, async (_, call, position) => {
    const recorded = recordedCall(core, call);
    if (recorded !== undefined) return recorded;
    const tool = core.registry.get(call.name);
    const isStarted = core.effectJournal?.find(call.id).kind !== "intended";
    return tool !== undefined && (!isStarted || isRepeatable(tool))
      ? executeSingleTool(core, call, position)
      : reportUnknownOutcome(core, call, turn);
  });
}
