import {
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  type RpcMessage,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";
import type { CodexState } from "./codex-state.ts";
import { reportOf } from "./report-of.ts";
import { endOf, toolOf } from "./thread-item.ts";
import type { ThreadTokens } from "./thread-usage.ts";

/** Types of notifications that only count as heartbeats. */
const HEARTBEATS: ReadonlySet<string> = new Set([
  "account/rateLimits/updated",
  "item/agentMessage/delta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "item/reasoning/textDelta",
  "item/reasoning/summaryTextDelta",
  "thread/readState/changed",
  "thread/status/changed",
  "turn/diff/updated",
  "turn/started",
]);

/** Types of tool calls for which some releases report only the end, not the start. */
const ENDS_ALONE: ReadonlySet<string> = new Set(["webSearch", "imageView", "imageGeneration"]);

/** Handles a notification. Notifications of other threads count only as heartbeats. */
export function handleNotification({ method, params }: RpcMessage, turn: TurnScope, state: CodexState): void {
  if (method === "turn/started" && !state.isForeign(params)) state.nameTurn(turnIdOf(params));
  if (HEARTBEATS.has(method) || state.isForeign(params)) turn.notify("");
  else if (method.startsWith("item/")) handleItem({ method, params }, turn, state);
  else handleEvent({ method, params }, turn, state);
}

/** Returns the turn id of a message. Older releases send the id in a separate field instead of the turn object. */
function turnIdOf(params: JsonObject): string {
  return textAt(objectAt(params, "turn"), "id") || textAt(params, "turnId");
}

function handleEvent({ method, params }: RpcMessage, turn: TurnScope, state: CodexState): void {
  switch (method) {
    case "account/login/completed":
      if (textAt(params, "error") !== "") turn.notify(`sign-in: ${textAt(params, "error")}`);
      state.signedIn.open(params["success"] === true);
      return;
    case "thread/started":
      handleThread(objectAt(params, "thread"), turn);
      state.threadStarted.open();
      return;
    case "thread/tokenUsage/updated":
      handleUsage(params, turn, state);
      return;
    case "turn/plan/updated":
      turn.notify(planOf(params));
      return;
    case "turn/completed":
      handleEnd(params, turn, state);
      return;
    case "model/rerouted":
      turn.model(textAt(params, "toModel"));
      turn.notify(`the model ${textAt(params, "toModel")} answers in place of ${textAt(params, "fromModel")}`);
      return;
    case "mcpServer/startupStatus/updated":
      turn.notify(startupNotice(params));
      return;
    case "error":
      handleError(params, turn);
      return;
    case "warning":
    case "guardianWarning":
    case "configWarning":
      turn.notify(textAt(params, "message") || textAt(params, "summary"));
      return;
    default:
      turn.other(method);
      return;
  }
}

/** Returns a notice about an MCP server that failed to start, with the reason. */
function startupNotice(params: JsonObject): string {
  if (textAt(params, "status") !== "failed") return "";
  const messages = [textAt(params, "failureReason"), textAt(params, "error") || textAt(params["error"], "message")];
  const reason = messages.filter((text) => text !== "").join(": ") || "no reason was given";
  return `the MCP server ${textAt(params, "name")} failed: ${reason}`;
}

function handleItem({ method, params }: RpcMessage, turn: TurnScope, state: CodexState): void {
  const item = objectAt(params, "item");
  const [type, id] = [textAt(item, "type"), textAt(item, "id")];
  const tool = toolOf(item);
  if (tool !== undefined && (method === "item/started" || (ENDS_ALONE.has(type) && !state.tools.has(id)))) {
    state.tools.set(id, tool);
    turn.toolStarted({ id, ...tool });
  }
  if (method === "item/started") return;
  if (method !== "item/completed") turn.other(method);
  else if (type === "agentMessage") turn.text(textAt(item, "text"));
  else if (type === "reasoning") handleReasoning(item, turn);
  else turn.toolEnded(id, endOf(item));
}

function handleReasoning(item: JsonObject, turn: TurnScope): void {
  const summary = listAt(item, "summary").filter((text) => typeof text === "string");
  if (summary.length > 0) turn.other(summary.join("\n"));
}

/**
 * Handles the notification that a thread started, which names the model. For a resumed thread, the response to the
 * request has already named the model.
 */
function handleThread(thread: JsonObject, turn: TurnScope): void {
  const model = textAt(thread, "model");
  turn.sessionStarted(textAt(thread, "id"), model === "" ? {} : { model });
}

function handleUsage(params: JsonObject, turn: TurnScope, state: CodexState): void {
  const { total, last } = objectAt(params, "tokenUsage");
  const isThisTurn = state.isAboutTurn(turnIdOf(params));
  const tokens = state.usage.take(tokensOf(total), tokensOf(last), isThisTurn);
  if (tokens !== undefined) turn.turnUsage(tokens);
}

/** Returns token usage. Input tokens include cached ones. */
function tokensOf(usage: unknown): ThreadTokens {
  const count = (field: string): number => Math.max(0, numberAt(usage, field) ?? 0);
  return {
    ...{ inputTokens: count("inputTokens"), outputTokens: count("outputTokens") },
    ...{ cacheReadTokens: count("cachedInputTokens"), cacheWriteTokens: count("cacheWriteInputTokens") },
  };
}

function planOf(params: JsonObject): string {
  const steps = listAt(params, "plan").map((step) => `[${textAt(step, "status")}] ${textAt(step, "step")}`);
  return ["plan:", ...steps].join("\n");
}

function handleError(params: JsonObject, turn: TurnScope): void {
  const { error, willRetry } = params;
  const messages = [textAt(error, "message"), textAt(error, "additionalDetails")]
    .filter((text) => text !== "")
    .join(": ");
  turn.notify(willRetry === true ? `the model is asked again: ${messages}` : messages);
}

function handleEnd(params: JsonObject, turn: TurnScope, state: CodexState): void {
  const id = turnIdOf(params);
  if (state.turnId !== "" && id !== "" && id !== state.turnId) return;
  turn.report(reportOf(objectAt(params, "turn")));
  state.endTurn();
}
