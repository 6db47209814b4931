import { isJsonObject, type JsonObject, listAt, objectAt, type TurnScope, textAt } from "@switchyard/adapter-kit";
import { TOOL_KINDS } from "../preset/acp-config.ts";
import type { AcpState, AcpToolCall } from "./acp-state.ts";

/** Length of a tool's output or of a text, in characters, beyond which further pieces are ignored. */
const MAX_CHARS = 1024 * 1024;

/** Types of updates that are part of the conversation, in contrast to changes of settings. */
const HISTORY: ReadonlySet<string> = new Set([
  ...["user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"],
]);

/** Handles an update of the session. See agent-adapter: Agent Client Protocol. */
export function handleUpdate(params: JsonObject, turn: TurnScope, state: AcpState): void {
  const update = objectAt(params, "update");
  const kind = textAt(update, "sessionUpdate");
  const from = textAt(params, "sessionId");
  if (state.isReplaying) {
    if (HISTORY.has(kind)) state.replayed += 1;
    turn.notify("");
    return;
  }
  if (state.sessionId !== "" && from !== state.sessionId) {
    turn.other(`${kind} of another session`);
    return;
  }
  switch (kind) {
    case "agent_message_chunk":
      handleChunk(update, turn, state);
      return;
    case "tool_call":
      handleToolCall(update, turn, state);
      return;
    case "tool_call_update":
      handleToolUpdate(update, turn, state);
      return;
    case "agent_thought_chunk":
      turn.other(textAt(objectAt(update, "content"), "text"));
      return;
    case "plan":
      turn.other(listAt(update, "entries").map(planLine).join("; "));
      return;
    // `usage_update` reports how full the context window is, not the tokens that were used.
    case "usage_update":
    case "available_commands_update":
    case "user_message_chunk":
    case "current_mode_update":
    case "config_option_update":
    case "session_info_update":
      turn.notify("");
      return;
    default:
      turn.other(kind);
      return;
  }
}

function planLine(entry: unknown): string {
  return `${textAt(entry, "status")}: ${textAt(entry, "content")}`;
}

/** Buffers a piece of message text. The complete text is emitted when an update of another type follows. */
function handleChunk(update: JsonObject, turn: TurnScope, state: AcpState): void {
  const content = objectAt(update, "content");
  const messageId = textAt(update, "messageId");
  if (messageId !== state.messageId) endText(state);
  state.messageId = messageId;
  if (textAt(content, "type") === "text") {
    // A text at the limit takes one more piece, because the turn reports only longer texts as truncated.
    if (state.text.length <= MAX_CHARS) state.text += textAt(content, "text");
    turn.notify("");
  } else turn.notify(`the agent shows: ${textAt(content, "type")}`);
}

/** Emits the buffered text. */
export function endText(state: AcpState): void {
  const { text, turn } = state;
  state.text = "";
  state.messageId = "";
  if (text !== "") turn?.text(text);
}

function handleToolCall(update: JsonObject, turn: TurnScope, state: AcpState): void {
  endText(state);
  const id = textAt(update, "toolCallId");
  const call = callOf(update);
  state.tools.set(id, call);
  handleProgress({ id, call, update }, turn, state);
}

/** Returns the tool call that an update or permission request describes. */
function callOf(update: JsonObject): AcpToolCall {
  const call: AcpToolCall = { name: "", title: "", input: undefined, output: "", isReported: false };
  describe(call, update);
  return call;
}

function describe(call: AcpToolCall, update: JsonObject): void {
  const reportedKind = textAt(update, "kind");
  const kind = TOOL_KINDS.includes(reportedKind) ? reportedKind : undefined;
  const name = textAt(update, "name");
  if (name !== "") call.name = name;
  else if (call.name === "" || (call.name === "other" && kind !== undefined)) call.name = kind ?? "other";
  call.title = textAt(update, "title") || call.title;
  if (update["rawInput"] !== undefined && update["rawInput"] !== null) call.input = update["rawInput"];
}

/** Handles an update of a tool call; updates of unknown calls are ignored. */
function handleToolUpdate(update: JsonObject, turn: TurnScope, state: AcpState): void {
  endText(state);
  const id = textAt(update, "toolCallId");
  const call = state.tools.get(id);
  if (call === undefined) {
    turn.notify("");
    return;
  }
  if (!call.isReported) describe(call, update);
  handleProgress({ id, call, update }, turn, state);
}

interface Progress {
  readonly id: string;
  readonly call: AcpToolCall;
  readonly update: JsonObject;
}

function handleProgress({ id, call, update }: Progress, turn: TurnScope, state: AcpState): void {
  const status = textAt(update, "status");
  handleOutput(call, update);
  // A pending call is not reported yet, because agents may complete its arguments before they run it.
  if (status === "in_progress" || status === "completed" || status === "failed") reportToolStart(id, call, turn);
  if (status === "completed" || status === "failed") {
    state.tools.delete(id);
    turn.toolEnded(id, { output: call.output, isError: status === "failed" });
  } else turn.notify("");
}

function reportToolStart(id: string, call: AcpToolCall, turn: TurnScope): void {
  if (call.isReported) return;
  call.isReported = true;
  turn.toolStarted({ id, name: call.name, arguments: call.input ?? (call.title === "" ? {} : { title: call.title }) });
}

/** Handles the tool call in a permission request. Some agents report tool calls only in permission requests. */
export function handleToolOfPermission(toolCall: JsonObject, turn: TurnScope, state: AcpState): AcpToolCall {
  endText(state);
  const id = textAt(toolCall, "toolCallId");
  const call = state.tools.get(id) ?? callOf(toolCall);
  if (!call.isReported) describe(call, toolCall);
  state.tools.set(id, call);
  reportToolStart(id, call, turn);
  return call;
}

/** Counts tool calls that started but never reported a result. */
export function endTools(state: AcpState): void {
  const { turn, tools } = state;
  for (const [id, call] of tools) if (turn !== undefined) reportToolStart(id, call, turn);
  tools.clear();
}

/** Sets the output of a call: content replaces it, terminal output is appended. */
function handleOutput(call: AcpToolCall, update: JsonObject): void {
  const content = listAt(update, "content")
    .map(contentText)
    .filter((text) => text !== "");
  const piece = textAt(objectAt(objectAt(update, "_meta"), "terminal_output_delta"), "data");
  if (content.length > 0) call.output = content.join("\n");
  else if (piece !== "" && call.output.length < MAX_CHARS) call.output += piece;
  else if (call.output === "") call.output = rawText(update["rawOutput"]);
}

function contentText(content: unknown): string {
  if (!isJsonObject(content)) return "";
  if (textAt(content, "type") === "diff") return `changed ${textAt(content, "path")}`;
  return textAt(objectAt(content, "content"), "text");
}

function rawText(output: unknown): string {
  return typeof output === "string" ? output : textAt(output, "output");
}
