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

/** Takes one line of the stream. Throws where it is no JSON object. */
export function parseLine(line: string, turn: TurnScope, state: CopilotState): void {
  const event = parseJsonLine(line);
  const data = objectAt(event, "data");
  switch (textAt(event, "type")) {
    case "assistant.message":
      takeMessage(data, turn);
      return;
    case "tool.execution_start":
      turn.toolStarted({
        ...{ id: textAt(data, "toolCallId"), name: textAt(data, "toolName") },
        arguments: objectAt(data, "arguments"),
      });
      return;
    case "tool.execution_complete":
      takeToolEnd(data, turn);
      return;
    case "session.tools_updated":
      takeModel(data, turn);
      return;
    case "session.task_complete":
      state.isTaskDone = data["success"] !== false;
      turn.notify(textAt(data, "summary") || "the agent calls its task done");
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
      turn.notify(`the model could not be asked (${numberAt(data, "statusCode") ?? "no answer"})`);
      return;
    case "session.info":
    case "session.warning":
      turn.notify(textAt(data, "message"));
      return;
    case "result":
      takeResult(event, turn, state);
      return;
    case "":
      turn.other("a line without a type");
      return;
    default:
      turn.notify("");
      return;
  }
}

function takeModel(data: JsonObject, turn: TurnScope): void {
  const model = textAt(data, "model");
  if (model !== "") turn.model(model);
  turn.notify("");
}

/** Messages without a text are those that only call tools, which have lines of their own. */
function takeMessage(data: JsonObject, turn: TurnScope): void {
  takeModel(data, turn);
  turn.text(textAt(data, "content"));
}

/** The name is not in this line; the kit knows it by the id. A command that failed is a success of its tool. */
function takeToolEnd(data: JsonObject, turn: TurnScope): void {
  const exitCode = numberAt(objectAt(data, "shellExecution"), "exitCode") ?? 0;
  const output = textAt(objectAt(data, "result"), "content") || textAt(objectAt(data, "error"), "message");
  turn.toolEnded(textAt(data, "toolCallId"), {
    output: stripColours(output),
    isError: data["success"] !== true || exitCode !== 0,
  });
}

/** The last line has no data of its own; what it says counts once the process has ended by itself. */
function takeResult(event: JsonObject, turn: TurnScope, state: CopilotState): void {
  const id = textAt(event, "sessionId");
  if (id !== "") {
    state.sessionId = id;
    turn.sessionStarted(id);
  }
  state.resultCode = numberAt(event, "exitCode");
  turn.notify("");
}
