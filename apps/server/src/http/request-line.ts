/** What is logged of a request: nothing of its query, headers and body. */
export interface RequestLine {
  /** When it came, ISO 8601. */
  readonly time: string;
  /** `info`; `warn` where the caller was refused, `error` where the server failed. */
  readonly level: "info" | "warn" | "error";
  /** What the line is about. */
  readonly message: "request";
  /** HTTP method. */
  readonly method: string;
  /** Route that took it, or `none`. */
  readonly route: string;
  /** HTTP status; 499 where the caller went away before the answer. */
  readonly status: number;
  /** Time until the answer, in milliseconds. */
  readonly duration_ms: number;
  /** Who sent it, where that is known. */
  readonly owner?: string | undefined;
  /** Id of the run that it is about. */
  readonly run_id?: string | undefined;
  /** How that run ended. */
  readonly run_status?: string | undefined;
  /** Code of the error it was answered with. */
  readonly code?: string | undefined;
}

/** What a line says of a run, or of why there is none. */
export type AboutRun = Pick<RequestLine, "code" | "run_id" | "run_status" | "owner">;

/** What is known of a request when it is answered. */
export interface HandledRequest {
  /** Its method, as the caller wrote it. */
  readonly method: string;
  /** The route that took it. */
  readonly route?: string | undefined;
  /** What it was answered with. */
  readonly status: number;
  /** When it came, in milliseconds since 1970. */
  readonly startedMs: number;
  /** When it was answered. */
  readonly endedMs: number;
  /** What came of it. */
  readonly about: AboutRun;
}

/** Characters of a method. */
const MAX_METHOD = 20;

/** The line that is logged of a request. */
export function requestLine({
  method,
  route = "none",
  status,
  startedMs,
  endedMs,
  about,
}: HandledRequest): RequestLine {
  return {
    time: new Date(startedMs).toISOString(),
    level: levelOf(status),
    message: "request",
    ...{ method: method.slice(0, MAX_METHOD), route, status, duration_ms: endedMs - startedMs },
    ...about,
  };
}

/** A service that is not to be reached for a while is nothing that the server could do anything about. */
function levelOf(status: number): RequestLine["level"] {
  if (status >= 500 && status !== 503) return "error";
  return status >= 400 ? "warn" : "info";
}
