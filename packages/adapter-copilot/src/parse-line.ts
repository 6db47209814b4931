import {
  type JsonObject,
  numberAt,
  objectAt,
  parseJsonLine,
  stripColours,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";
import type { CopilotState } from "./copilot-state.ts";

/** Types of events, as of release 1.0.102, that only count as heartbeats. */
const HEARTBEATS: ReadonlySet<string> = new Set([
  ...["assistant.idle", "assistant.message_delta", "assistant.message_start", "assistant.reasoning_delta"],
  ...["assistant.streaming_delta", "assistant.tool_call_delta", "assistant.turn_end", "assistant.turn_retry"],
  ...["assistant.turn_start", "assistant.usage", "model.call_final_result", "model.call_finished", "model.call_start"],
  ...["session.background_tasks_changed", "session.mcp_server_status_changed", "session.mcp_servers_loaded"],
  ...["session.skills_loaded", "session.start", "session.title_changed", "session.usage_info"],
  ...["tool.execution_partial_result", "tool.execution_progress", "tool.shell_output", "user.message"],
]);

/** Handles a line of output. Throws if the line is not a JSON object. */
export function parseLine(line: string, turn: TurnScope, state: CopilotState): void {
  const event = parseJsonLine(line);
  const data = objectAt(event, "data");
  const type = textAt(event, "type");
  switch (type) {
    case "assistant.message":
      handleMessage(data, turn);
      return;
    case "tool.execution_start":
      turn.toolStarted({
        ...{ id: textAt(data, "toolCallId"), name: textAt(data, "toolName") },
        arguments: objectAt(data, "arguments"),
      });
      return;
    case "tool.execution_complete":
      handleToolEnd(data, turn);
      return;
    case "session.tools_updated":
      handleModel(data, turn);
      return;
    case "session.task_complete":
      state.isTaskDone = data["success"] !== false;
      state.summary = textAt(data, "summary");
      turn.notify(state.summary || "the agent calls its task done");
      return;
    case "session.error":
      state.problem = textAt(data, "message");
      state.status = numberAt(data, "statusCode");
      turn.notify(state.problem);
      return;
    case "user_input.requested":
    case "elicitation.requested":
      turn.asksPerson(textAt(data, "question") || textAt(data, "message") || "the agent asks a question");
      return;
    case "model.call_failure":
      turn.notify(`the model call failed (${numberAt(data, "statusCode") ?? "no response"})`);
      return;
    case "session.info":
    case "session.warning":
      turn.notify(textAt(data, "message"));
      return;
    case "result":
      handleResult(event, turn, state);
      return;
    case "":
      turn.other("a line without a type");
      return;
    default:
      if (HEARTBEATS.has(type)) turn.notify("");
      else turn.other(type);
      return;
  }
}

function handleModel(data: JsonObject, turn: TurnScope): void {
  const model = textAt(data, "model");
  if (model !== "") turn.model(model);
  turn.notify("");
}

/**
 * Handles a message of the model. A message without text only calls tools, and tool calls are reported in separate
 * lines.
 */
function handleMessage(data: JsonObject, turn: TurnScope): void {
  handleModel(data, turn);
  turn.text(textAt(data, "content"));
}

/**
 * Handles the end of a tool call. The event contains only the call's id, from which the adapter kit knows the tool. The
 * event reports success even if a shell command failed, so the shell command's exit code is checked too.
 */
function handleToolEnd(data: JsonObject, turn: TurnScope): void {
  const exitCode = numberAt(objectAt(data, "shellExecution"), "exitCode") ?? 0;
  const output = textAt(objectAt(data, "result"), "content") || textAt(objectAt(data, "error"), "message");
  turn.toolEnded(textAt(data, "toolCallId"), {
    output: stripColours(output),
    isError: data["success"] !== true || exitCode !== 0,
  });
}

/** Handles the last line of output, which is evaluated once the process has ended. */
function handleResult(event: JsonObject, turn: TurnScope, state: CopilotState): void {
  const id = textAt(event, "sessionId");
  if (id !== "") {
    state.sessionId = id;
    turn.sessionStarted(id);
  }
  state.resultCode = numberAt(event, "exitCode");
  turn.notify("");
  turn.expectExit();
}
