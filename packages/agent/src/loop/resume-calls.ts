import type { ToolCallPart, ToolResultPart } from "@switchyard/contracts";
import type { AssistantTurn, ToolResultsTurn } from "../conversation/turn.ts";
import { isRepeatable } from "../pipeline/is-repeatable.ts";
import type { SessionCore } from "../session/session-core.ts";
import { type ExecutedCall, executeSingleTool, runCalls } from "./execute-tool-calls.ts";

/** Returns the result for a call that may have been running when the process ended, with advice for the model. */
function unknownOutcome(core: SessionCore, call: ToolCallPart, turn: AssistantTurn): ToolResultPart {
  const hasTool = core.registry.get(call.name) !== undefined;
  const content = [
    `unknown_outcome: the run was cut off after ${turn.timestamp}, when this call was asked for, and before its outcome was recorded.`,
    "It may have taken effect wholly, partly or not at all, and it was not made again.",
    hasTool ? "" : `The tool ${call.name} is not offered any more.`,
    "Find out what is there before you do it again.",
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
 * Returns results for the calls of a response that an earlier process may have started. Repeatable calls are executed
 * again; the outcome of the others is unknown. See architecture: decision 18; durability promises D4, D5.
 */
export async function resumeCalls(core: SessionCore, turn: AssistantTurn): Promise<ToolResultsTurn> {
  return runCalls(core, turn.toolCalls, async (_, call, position) => {
    const tool = core.registry.get(call.name);
    return tool !== undefined && isRepeatable(tool)
      ? executeSingleTool(core, call, position)
      : reportUnknownOutcome(core, call, turn);
  });
}
