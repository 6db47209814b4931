/** What an API said about a failure, whatever the shape of its answer. */
export interface ErrorInfo {
  /** Its explanation, when it gave one. */
  message: string | undefined;
  /** Its own word for the kind of failure: type, code or status. */
  kind: string;
  /** Everything it says that tells failures apart: the kind, and all messages, those that it quotes included. */
  said: string;
  /** The status it tells as a number of its own. */
  status: number | undefined;
  /** When the provider says to call again, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** Whether a value is an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON value of a text, or undefined when it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fields that hold a message, or what holds one. */
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
/** What a gateway quotes of the error of the provider that it forwarded to. */
const QUOTED_FIELDS = ["metadata", "raw", "param"];
const MAX_LEVELS = 6;

/** The messages in an error, outermost first. Only fields that hold messages are read: others may repeat the request. */
function messagesIn(value: unknown, fields: readonly string[], level = 0): readonly string[] {
  if (level > MAX_LEVELS) return [];
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((entry) => messagesIn(entry, fields, level + 1));
  if (isRecord(value)) return fields.flatMap((name) => messagesIn(value[name], fields, level + 1));
  if (typeof value !== "string" || value.trim() === "") return [];
  const quoted = /^\s*[[{]/.test(value) ? jsonValue(value) : undefined;
  return typeof quoted === "object" && quoted !== null ? messagesIn(quoted, fields, level + 1) : [value];
}

/** Gemini's RetryInfo (`"retryDelay": "12.5s"`) in milliseconds. */
function retryDelayOf(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay = isRecord(detail) ? detail["retryDelay"] : undefined;
    const seconds = typeof delay === "string" ? Number.parseFloat(delay) : Number.NaN;
    if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  }
  return undefined;
}

/** A status, also one that LiteLLM writes as text. */
function statusOf(value: unknown): number | undefined {
  const status = typeof value === "string" && /^[45]\d\d$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

/** The names of the quotas that Gemini says are used up, and the reasons it gives. */
function detailWords(details: unknown): string {
  return Array.isArray(details) ? details.map((detail) => JSON.stringify(detail)).join(" ") : "";
}

/** What of an answer holds an error; some servers put it into a list. */
function outerOf(body: unknown): Readonly<Record<string, unknown>> {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  return isRecord(outer) ? outer : {};
}

/** Whether a parsed answer says by itself that it is a failure, whatever its status says. */
export function reportsError(body: unknown): boolean {
  const { error, base_resp: report } = outerOf(body);
  // MiniMax reports failures beside an answer, under status 200.
  const code = isRecord(report) ? report["status_code"] : 0;
  return isRecord(error) || (typeof error === "string" && error !== "") || (typeof code === "number" && code !== 0);
}

/** Reads the error out of a parsed answer: `{ error: { … } }`, `[{ error: { … } }]`, `{ error: "…" }` or the error itself. */
export function readErrorInfo(body: unknown): ErrorInfo {
  const outer = outerOf(body);
  const inner = outer["error"] ?? (isRecord(outer["response"]) ? outer["response"]["error"] : undefined);
  const error = isRecord(inner) ? inner : outer;
  const told = isRecord(inner) ? inner : { ...outer, error: inner };
  const [message, ...further] = messagesIn(told, MESSAGE_FIELDS);
  // A parameter's bare name says nothing about the failure.
  const quoted = messagesIn(told, [...QUOTED_FIELDS, ...MESSAGE_FIELDS]).filter(
    (text) => text !== message && /\s/.test(text),
  );
  const words = [error["type"], error["code"], error["status"], error["reason"], error["error_type"]].filter(
    (word) => typeof word === "string",
  );
  const kind = [...words, detailWords(error["details"])].join(" ").trim();
  const quote = /^provider returned error\.?$/i.test(message?.trim() ?? "") ? quoted[0] : undefined;
  return {
    message: quote === undefined ? message : `${message}: ${quote}`,
    kind,
    said: [kind, message, ...further, ...quoted.filter((text) => !further.includes(text))].filter(Boolean).join(" "),
    status: statusOf(error["code"]) ?? statusOf(error["status"]),
    retryAfterMs: retryDelayOf(error["details"]),
  };
}
