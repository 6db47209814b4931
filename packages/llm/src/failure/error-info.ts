/** What an API said about a failure, whatever the shape of its answer. */
export interface ErrorInfo {
  /** Its explanation, when it gave one. */
  message: string | undefined;
  /** Its own word for the kind of failure: type, code or status. */
  kind: string;
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

function firstText(record: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = record[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
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

function statusOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 400 && value < 600 ? value : undefined;
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
export function saysError(body: unknown): boolean {
  const { error } = outerOf(body);
  return isRecord(error) || (typeof error === "string" && error !== "");
}

/** Reads the error out of a parsed answer: `{ error: { … } }`, `[{ error: { … } }]`, `{ error: "…" }` or the error itself. */
export function readErrorInfo(body: unknown): ErrorInfo {
  const outer = outerOf(body);
  const inner = outer["error"] ?? (isRecord(outer["response"]) ? outer["response"]["error"] : undefined);
  const error = isRecord(inner) ? inner : outer;
  const message =
    firstText(error, ["message", "error_description", "detail"]) ?? (typeof inner === "string" ? inner : undefined);
  const words = [error["type"], error["code"], error["status"], error["reason"]].filter(
    (word) => typeof word === "string",
  );
  return {
    message,
    kind: [...words, detailWords(error["details"])].join(" ").trim(),
    status: statusOf(error["code"]) ?? statusOf(error["status"]),
    retryAfterMs: retryDelayOf(error["details"]),
  };
}
