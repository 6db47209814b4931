/** Log line of a request, without query, headers and body. */
export interface RequestLine {
  /** Arrival time, ISO 8601. */
  readonly time: string;
  /** Log level: `info`; `warn` if the request was rejected; `error` if the server failed. */
  readonly level: "info" | "warn" | "error";
  /** Type of the log line. */
  readonly message: "request";
  /** HTTP method. */
  readonly method: string;
  /** Matched route, or `none`. */
  readonly route: string;
  /** HTTP status. 499 if the client disconnected before the response. */
  readonly status: number;
  /** Time until the response, in milliseconds. */
  readonly duration_ms: number;
  /** Owner of the request's token, if known. */
  readonly owner?: string | undefined;
  /** Id of the run that the request concerns. */
  readonly run_id?: string | undefined;
  /** Final status of the run. `undefined` unless the request waited for the end of the run. */
  readonly run_status?: string | undefined;
  /** Error code of the response. */
  readonly code?: string | undefined;
}

/** Fields of a log line that describe the run of the request, and why the request failed. */
export type AboutRun = Pick<RequestLine, "code" | "run_id" | "run_status" | "owner">;

/** Data about a handled request, from which its log line is built. */
export interface HandledRequest {
  /** HTTP method as sent by the client. */
  readonly method: string;
  /** Matched route. */
  readonly route?: string | undefined;
  /** Status of the response. */
  readonly status: number;
  /** Arrival time, in milliseconds since 1970. */
  readonly startedMs: number;
  /** Time of the response. */
  readonly endedMs: number;
  /** Run-related fields. */
  readonly about: AboutRun;
}

/** Maximum length of a logged method, in characters. */
const MAX_METHOD = 20;

/** Returns the log line of a request. */
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

/** Returns the log level of a response. Temporary unavailability is not logged as a server error. */
function levelOf(status: number): RequestLine["level"] {
  if (status >= 500 && status !== 503) return "error";
  return status >= 400 ? "warn" : "info";
}
