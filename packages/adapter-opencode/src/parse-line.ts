import {
  type JsonObject,
  listAt,
  type MeasuredTokens,
  numberAt,
  objectAt,
  parseJsonLine,
  stripColours,
  type ToolEnd,
  type TurnEnd,
  type TurnScope,
  textAt,
} from "@switchyard/adapter-kit";
import { versionProblem } from "./check-version.ts";
import type { OpencodeState } from "./opencode-state.ts";

/** Matches the line that `opencode` prints for a denied permission. */
const REFUSAL = /^! *permission requested: *(.*)$/u;
/** Known event types. */
const EVENTS: ReadonlySet<string> = new Set([
  ...["step_start", "step_finish", "text", "reasoning", "tool_use", "error"],
]);
/** Finish reasons after which `opencode` usually exits, although it may start another step. */
const LAST_REASONS: ReadonlySet<string> = new Set(["stop", "length", "content-filter"]);
/** Error names of `opencode` that have no specific meaning. */
const GENERIC_ERRORS: ReadonlySet<string> = new Set(["", "Error", "UnknownError", "unknown"]);
/** HTTP statuses of rejected requests, caused by authentication or settings. */
const REQUEST_STATUSES: ReadonlySet<number | undefined> = new Set([400, 401, 403]);
/** Name of the built-in tool with which `opencode` asks the user. */
const QUESTION_TOOL = "question";

/** Handles a line of output. Throws if the line is not an event. */
export function parseLine(line: string, turn: TurnScope, state: OpencodeState): void {
  const refused = REFUSAL.exec(stripColours(line).trim())?.[1];
  if (refused !== undefined) {
    turn.permissionRefused(refused);
    return;
  }
  const event = parseJsonLine(line);
  if (!EVENTS.has(textAt(event, "type"))) {
    handleUnknown(event, turn);
    return;
  }
  if (handleSession(textAt(event, "sessionID"), turn, state)) handleEvent(event, turn, state);
  state.wasUnderstood = true;
}

/** Handles an unknown event. Events of other releases are ignored; a line without a type is malformed. */
function handleUnknown(event: JsonObject, turn: TurnScope): void {
  const type = textAt(event, "type");
  if (type === "") throw new SyntaxError("The line is not an event.");
  turn.other(type);
}

/** Returns true if the event belongs to the session of this turn. The first event sets the session id. */
function handleSession(id: string, turn: TurnScope, state: OpencodeState): boolean {
  if (id === "" || id === state.sessionId) {
    if (id !== "") turn.sessionStarted(id);
    return true;
  }
  if (state.sessionId === "") {
    state.sessionId = id;
    turn.sessionStarted(id);
    return true;
  }
  const problem = `it responds as the session ${id} instead of ${state.sessionId}`;
  fail(turn, state, { problem, rank: Number.POSITIVE_INFINITY, isRequest: true, isFinal: false });
  return false;
}

function handleEvent(event: JsonObject, turn: TurnScope, state: OpencodeState): void {
  const part = objectAt(event, "part");
  const type = textAt(event, "type");
  switch (type) {
    case "step_start":
      turn.expectOutput();
      turn.notify("");
      return;
    case "step_finish":
      handleStep(part, turn, state);
      return;
    case "text":
      turn.text(textAt(part, "text"));
      return;
    case "reasoning":
      turn.other(textAt(part, "text"));
      return;
    case "tool_use":
      handleTool(part, turn, state);
      return;
    default:
      handleError(event["error"], turn, state);
      return;
  }
}

function handleStep(part: JsonObject, turn: TurnScope, state: OpencodeState): void {
  state.stopReason = textAt(part, "reason");
  const tokens = tokensOf(part["tokens"]);
  const cost = numberAt(part, "cost");
  // A cost of 0 counts as unknown, because not every model has a price.
  const costMicros = cost === undefined || cost === 0 ? undefined : cost * 1_000_000;
  if (tokens !== undefined) turn.requestUsage(textAt(part, "id"), { ...tokens, costMicros });
  else turn.notify("");
  if (LAST_REASONS.has(state.stopReason)) turn.expectExit();
}

/**
 * Returns token usage. `opencode` reports cached tokens and reasoning tokens separately; the returned numbers of input
 * and output tokens include them.
 */
function tokensOf(tokens: unknown): MeasuredTokens | undefined {
  const [fresh, output] = [numberAt(tokens, "input"), numberAt(tokens, "output")];
  if (fresh === undefined && output === undefined) return undefined;
  const cache = objectAt(tokens, "cache");
  const [cacheReadTokens, cacheWriteTokens] = [numberAt(cache, "read") ?? 0, numberAt(cache, "write") ?? 0];
  const inputTokens = (fresh ?? 0) + cacheReadTokens + cacheWriteTokens;
  const total = numberAt(tokens, "total");
  const outputTokens = total === undefined ? output : Math.max(output ?? 0, total - inputTokens);
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

/** Handles a tool call, which all releases report when it has ended, and some also when it starts. */
function handleTool(part: JsonObject, turn: TurnScope, state: OpencodeState): void {
  const [id, name, call] = [textAt(part, "callID"), textAt(part, "tool"), objectAt(part, "state")];
  if (id === "" || name === "") throw new SyntaxError("The tool call has no name.");
  const input = objectAt(call, "input");
  if (!state.tools.has(id)) {
    state.tools.add(id);
    turn.toolStarted({ id, name, arguments: input });
  }
  const status = textAt(call, "status");
  if (status === "completed" || status === "error") turn.toolEnded(id, endOf(call));
  if (name !== QUESTION_TOOL) return;
  const [question] = listAt(input, "questions");
  turn.asksPerson(textAt(question, "question") || "the agent asks a question");
}

function endOf(call: JsonObject): ToolEnd {
  const { start, end } = objectAt(call, "time");
  const exit = numberAt(objectAt(call, "metadata"), "exit") ?? 0;
  const error = textAt(call, "error");
  return {
    output: stripColours(textAt(call, "output") || error),
    isError: textAt(call, "status") === "error" || exit !== 0,
    ...(typeof start === "number" && typeof end === "number" ? { durationMs: end - start } : {}),
  };
}

/**
 * Handles an error event. In releases before 2, errors have a name and data; in later releases, a type and a message.
 */
function handleError(error: unknown, turn: TurnScope, state: OpencodeState): void {
  const data = objectAt(error, "data");
  const name = textAt(error, "name") || textAt(error, "type");
  const message = textAt(data, "message") || textAt(error, "message");
  const status = numberAt(data, "statusCode");
  const problem = [name, message].filter((text) => text !== "").join(": ") || "no reason was given";
  // The most specific of several errors is reported: preferably one with an HTTP status, then one with a specific name.
  const rank = 1 + (GENERIC_ERRORS.has(name) ? 0 : 1) + (status === undefined ? 0 : 2) + (message === "" ? 0 : 0.5);
  fail(turn, state, {
    ...{ problem, rank, isRequest: REQUEST_STATUSES.has(status) },
    isFinal: data["isRetryable"] === false,
  });
}

interface Failure {
  readonly problem: string;
  /** How specific the failure is. A more specific failure replaces a less specific one. */
  readonly rank: number;
  /** True if the API rejected the request because of authentication or settings. False if the turn failed otherwise. */
  readonly isRequest: boolean;
  /** True if `opencode` reports that a retry would fail too. */
  readonly isFinal: boolean;
}

/** Reports a failure unless a more specific one is known. `opencode` may continue after it. */
function fail(turn: TurnScope, state: OpencodeState, { problem, rank, isRequest, isFinal }: Failure): void {
  if (rank > state.failureRank) {
    state.failureRank = rank;
    turn.report({ kind: "failure", problem, isFinal, ...(isRequest ? { code: "adapter.response_error" } : {}) });
    turn.expectOutput();
  }
  turn.notify(problem);
}

/**
 * Reports how the turn ended, from the last step. If nothing was understood, an unsupported version may be the cause.
 */
export async function finishTurn({ exitCode }: TurnEnd, turn: TurnScope, state: OpencodeState): Promise<void> {
  if (!state.wasUnderstood) {
    const problem = await versionProblem(state.target);
    if (problem !== undefined) turn.report({ kind: "failure", problem, code: "adapter.response_error" });
    return;
  }
  if (state.failureRank > 0) return;
  // A step with one of `LAST_REASONS` is a complete result. It remains valid even if the process failed afterwards.
  if (exitCode !== 0 && !LAST_REASONS.has(state.stopReason)) return;
  switch (state.stopReason) {
    case "":
      return;
    case "stop":
      turn.report({ kind: "success" });
      return;
    case "length":
      turn.report({
        kind: "failure",
        code: "adapter.turn_token_limit",
        problem: "the response reached its token limit",
      });
      return;
    case "content-filter":
      turn.report({ kind: "failure", code: "adapter.turn_refused", problem: "the model's response was filtered" });
      return;
    default:
      turn.report({ kind: "incomplete" });
      return;
  }
}
