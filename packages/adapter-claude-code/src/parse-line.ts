import {
  isJsonObject,
  type JsonObject,
  listAt,
  type MeasuredTokens,
  numberAt,
  objectAt,
  parseJsonLine,
  stripColours,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";

/** Name of the built-in tool with which `claude` asks the user. */
const QUESTION_TOOL = "AskUserQuestion";
/** Model name in messages that `claude` itself created instead of a model. */
const NO_MODEL = "<synthetic>";
const ERROR_WRAPPER = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/u;

/** Handles a line of output. Throws if the line is not a JSON object. */
export function parseLine(line: string, turn: TurnScope): void {
  const event = parseJsonLine(line);
  switch (textAt(event, "type")) {
    case "system":
      handleSystem(event, turn);
      return;
    case "assistant":
      handleAssistant(event, turn);
      return;
    case "user":
      handleUser(event, turn);
      return;
    case "result":
      handleResult(event, turn);
      return;
    case "stream_event":
      turn.notify("");
      return;
    default:
      turn.other(textAt(event, "type"));
      return;
  }
}

function handleSystem(event: JsonObject, turn: TurnScope): void {
  const subtype = textAt(event, "subtype");
  if (subtype === "init") {
    const model = textAt(event, "model");
    turn.sessionStarted(textAt(event, "session_id"), model === "" ? {} : { model });
    return;
  }
  if (subtype !== "api_retry") {
    turn.notify(`system/${subtype}`);
    return;
  }
  turn.notify(retryNotice(event));
}

/** Returns a notice about a failed model request that `claude` retries. */
function retryNotice(event: JsonObject): string {
  const [attempt, most] = [numberAt(event, "attempt") ?? 0, numberAt(event, "max_retries") ?? 0];
  const [delayMs, status] = [numberAt(event, "retry_delay_ms"), numberAt(event, "error_status")];
  const reason = textAt(event, "error") || textAt(event["error"], "message") || "no reason was given";
  const when = delayMs === undefined ? "" : ` in ${Math.round(delayMs)} ms`;
  return `the model is asked again${when} (${attempt} of ${most}): ${reason}${status === undefined ? "" : `, HTTP ${status}`}`;
}

function handleAssistant(event: JsonObject, turn: TurnScope): void {
  const message = objectAt(event, "message");
  const model = textAt(message, "model");
  // A failure message that `claude` itself created does not prove that the model did any work.
  const isOwn = model === NO_MODEL || textAt(event, "error") !== "";
  if (!isOwn && model !== "") turn.model(model);
  for (const part of listAt(message, "content")) {
    if (textAt(part, "type") === "text") {
      if (isOwn) turn.notify(textAt(part, "text"));
      else turn.text(textAt(part, "text"));
    }
    if (textAt(part, "type") === "tool_use") handleToolUse(part, turn);
  }
  const id = textAt(message, "id");
  const tokens = tokensOf(message["usage"]);
  if (!isOwn && id !== "" && tokens !== undefined) turn.requestUsage(id, tokens);
}

function handleToolUse(part: unknown, turn: TurnScope): void {
  const name = textAt(part, "name");
  const input = objectAt(part, "input");
  turn.toolStarted({ id: textAt(part, "id"), name, arguments: input });
}

/**
 * Returns token usage. `claude` reports cached tokens separately; the returned number of input tokens includes them.
 */
function tokensOf(usage: unknown): MeasuredTokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  const [input, output] = [numberAt(usage, "input_tokens"), numberAt(usage, "output_tokens")];
  if (input === undefined && output === undefined) return undefined;
  const cacheReadTokens = numberAt(usage, "cache_read_input_tokens");
  const cacheWriteTokens = numberAt(usage, "cache_creation_input_tokens");
  const inputTokens = (input ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return { inputTokens, outputTokens: output, cacheReadTokens, cacheWriteTokens };
}

function handleUser(event: JsonObject, turn: TurnScope): void {
  for (const part of listAt(objectAt(event, "message"), "content")) {
    if (textAt(part, "type") !== "tool_result" || !isJsonObject(part)) continue;
    const output = stripColours(textOf(part["content"])).replace(ERROR_WRAPPER, "$1");
    turn.toolEnded(textAt(part, "tool_use_id"), { output, isError: part["is_error"] === true });
  }
}

/** Returns the text of a tool result, which is a string or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => textAt(part, "text")).join("\n");
}

/** Handles the last line: usage of the turn, denials, and how the turn ended. */
function handleResult(event: JsonObject, turn: TurnScope): void {
  const id = textAt(event, "session_id");
  if (id !== "") turn.sessionStarted(id);
  const tokens = totalOf(event);
  const apiDurationMs = numberAt(event, "duration_api_ms");
  if (tokens !== undefined) turn.turnUsage(tokens, apiDurationMs === undefined ? {} : { apiDurationMs });
  for (const denial of listAt(event, "permission_denials")) handleDenial(denial, turn);
  const subtype = textAt(event, "subtype");
  if (subtype === "error_max_turns") {
    turn.report({ kind: "incomplete", code: "adapter.turn_request_limit" });
    return;
  }
  if (subtype === "success" && event["is_error"] !== true) {
    turn.report({ kind: "success", text: textAt(event, "result") });
    return;
  }
  const status = numberAt(event, "api_error_status");
  const listed = listAt(event, "errors").filter((error) => typeof error === "string");
  const problem = textAt(event, "result") || listed.join("; ") || subtype || "no reason was given";
  turn.report({
    kind: "failure",
    problem,
    ...(status === 401 || status === 403 ? { code: "adapter.response_error" } : {}),
  });
}

/**
 * Handles a denied tool call. A denied question is passed to the user and ends the turn. Other denials are only
 * reported.
 */
function handleDenial(denial: unknown, turn: TurnScope): void {
  const name = textAt(denial, "tool_name");
  if (name !== QUESTION_TOOL) {
    turn.permissionRefused(name);
    return;
  }
  const [question] = listAt(objectAt(denial, "tool_input"), "questions");
  turn.asksPerson(textAt(question, "question") || "the agent asks a question");
}

/**
 * Returns the total usage of all models, including subagents. If it is not reported, returns the usage without
 * subagents.
 */
function totalOf(event: JsonObject): MeasuredTokens | undefined {
  const models = Object.values(objectAt(event, "modelUsage")).filter(isJsonObject);
  const cost = numberAt(event, "total_cost_usd");
  const costMicros = cost === undefined ? undefined : cost * 1_000_000;
  if (models.length === 0) {
    const tokens = tokensOf(event["usage"]);
    const isNothing = tokens === undefined || (tokens.inputTokens === 0 && tokens.outputTokens === 0);
    return isNothing ? undefined : { ...tokens, costMicros };
  }
  const sum = (field: string): number => models.reduce((all, one) => all + (numberAt(one, field) ?? 0), 0);
  const [cacheReadTokens, cacheWriteTokens] = [sum("cacheReadInputTokens"), sum("cacheCreationInputTokens")];
  const inputTokens = sum("inputTokens") + cacheReadTokens + cacheWriteTokens;
  return { inputTokens, outputTokens: sum("outputTokens"), cacheReadTokens, cacheWriteTokens, costMicros };
}
