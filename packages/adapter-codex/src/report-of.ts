import {
  isJsonObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  type TurnReport,
  textAt,
} from "@switchyard/adapter-kit";

/** Error names of `codex` which mean that the model provider rejected the request or the credentials. */
const REQUEST_ERRORS: ReadonlySet<string> = new Set(["unauthorized", "badRequest"]);
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 401, 403]);

/** Converts the report of `codex` about how a turn ended. See agent-adapter: Codex. */
export function reportOf(turn: JsonObject): TurnReport {
  const status = textAt(turn, "status");
  if (status === "completed") return { kind: "success", text: lastTextOf(turn) };
  const error = objectAt(turn, "error");
  const message = [textAt(error, "message"), textAt(error, "additionalDetails")]
    .filter((text) => text !== "")
    .join(": ");
  // If the adapter interrupted the turn, the turn counts as cancelled, whatever `codex` reports.
  const problem =
    message || (status === "interrupted" ? "it was interrupted by another client" : "no reason was given");
  const info = error["codexErrorInfo"];
  if (nameOf(info) === "contextWindowExceeded") {
    return { kind: "failure", problem, code: "adapter.turn_token_limit" };
  }
  const isRequest = REQUEST_ERRORS.has(nameOf(info)) || REQUEST_STATUSES.has(statusOf(info));
  return { kind: "failure", problem, ...(isRequest ? { code: "adapter.response_error" } : {}) };
}

/** Returns the agent's last message, in releases that list the items of a finished turn. */
function lastTextOf(turn: JsonObject): string {
  const texts = listAt(turn, "items").map((item) =>
    textAt(item, "type") === "agentMessage" ? textAt(item, "text") : "",
  );
  return texts.findLast((text) => text !== "") ?? "";
}

/** Returns the name of an error kind, which is a string or the only key of an object. Older releases capitalised it. */
function nameOf(info: unknown): string {
  const name = typeof info === "string" ? info : isJsonObject(info) ? (Object.keys(info)[0] ?? "") : "";
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function statusOf(info: unknown): number {
  return (isJsonObject(info) ? numberAt(Object.values(info)[0], "httpStatusCode") : undefined) ?? 0;
}
