/** Parsed failure of an API, independent of its response format. */
export interface ErrorInfo {
  /** Message of the error. `undefined` if the error has none. */
  message: string | undefined;
  /** Kind of failure in the provider's terms: type, code or status. */
  kind: string;
  /**
   * All text by which the failure is classified: its kind and all messages, including messages quoted from another
   * server.
   */
  text: string;
  /** HTTP status that the error itself states. */
  status: number | undefined;
  /** Time after which to retry, according to the provider, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** Returns whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON text. Returns `undefined` if it is invalid. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names of fields that contain an error message, or an object with an error message. */
const MESSAGE_FIELDS = [
  "message",
  "error_description",
  "detail",
  "msg",
  "status_msg",
  "error",
  "innererror",
  "base_resp",
];
/** Fields in which a gateway quotes the upstream provider's error. */
const QUOTED_FIELDS = ["metadata", "raw", "param"];
const MAX_LEVELS = 6;

/**
 * Returns the messages in an error, outermost first. Other fields are not read, because they may repeat the request.
 */
function messagesIn(value: unknown, fields: readonly string[], level = 0): readonly string[] {
  if (level > MAX_LEVELS) return [];
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((entry) => messagesIn(entry, fields, level + 1));
  if (isRecord(value)) return fields.flatMap((name) => messagesIn(value[name], fields, level + 1));
  if (typeof value !== "string" || value.trim() === "") return [];
  const quoted = /^\s*[[{]/.test(value) ? jsonValue(value) : undefined;
  return typeof quoted === "object" && quoted !== null ? messagesIn(quoted, fields, level + 1) : [value];
}

/** Returns Gemini's RetryInfo (`"retryDelay": "12.5s"`) in milliseconds. */
function retryDelayOf(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay = isRecord(detail) ? detail["retryDelay"] : undefined;
    const seconds = typeof delay === "string" ? Number.parseFloat(delay) : Number.NaN;
    if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  }
  return undefined;
}

/** Returns the HTTP status in a field, even if the status is a string, as in errors of LiteLLM. */
function statusOf(value: unknown): number | undefined {
  const status = typeof value === "string" && /^[45]\d\d$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

/** Returns the names of exhausted quotas and the reasons in Gemini's error details. */
function detailText(details: unknown): string {
  return Array.isArray(details) ? details.map((detail) => JSON.stringify(detail)).join(" ") : "";
}

/** Returns the object in an error body that contains the error. Some servers wrap that object in an array. */
function outerOf(body: unknown): Readonly<Record<string, unknown>> {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  return isRecord(outer) ? outer : {};
}

/** Returns whether a parsed response reports a failure, regardless of its status. */
export function reportsError(body: unknown): boolean {
  const { error, base_resp: report } = outerOf(body);
  // MiniMax reports failures in an additional field, with HTTP status 200.
  const code = isRecord(report) ? report["status_code"] : 0;
  return isRecord(error) || (typeof error === "string" && error !== "") || (typeof code === "number" && code !== 0);
}

/**
 * Extracts the error of a parsed response: `{ error: { … } }`, `[{ error: { … } }]`, `{ error: "…" }` or the error
 * itself.
 */
export function readErrorInfo(body: unknown): ErrorInfo {
  const outer = outerOf(body);
  const inner = outer["error"] ?? (isRecord(outer["response"]) ? outer["response"]["error"] : undefined);
  const error = isRecord(inner) ? inner : outer;
  const reported = isRecord(inner) ? inner : { ...outer, error: inner };
  const [message, ...further] = messagesIn(reported, MESSAGE_FIELDS);
  // A message that is only the name of a parameter does not describe the failure, so it is ignored.
  const quoted = messagesIn(reported, [...QUOTED_FIELDS, ...MESSAGE_FIELDS]).filter(
    (text) => text !== message && /\s/.test(text),
  );
  const codes = [error["type"], error["code"], error["status"], error["reason"], error["error_type"]].filter(
    (word) => typeof word === "string",
  );
  const kind = [...codes, detailText(error["details"])].join(" ").trim();
  const quote = /^provider returned error\.?$/i.test(message?.trim() ?? "") ? quoted[0] : undefined;
  return {
    message: quote === undefined ? message : `${message}: ${quote}`,
    kind,
    text: [kind, message, ...further, ...quoted.filter((text) => !further.includes(text))].filter(Boolean).join(" "),
    status: statusOf(error["code"]) ?? statusOf(error["status"]),
    retryAfterMs: retryDelayOf(error["details"]),
  };
}
