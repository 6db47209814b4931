import { EngineError, isErrorCode, type Problem } from "@switchyard/contracts";

/**
 * Error for an error response of the server (RFC 9457). It has the response's error code and message. An error code
 * that this client does not know, sent by a newer server, becomes `server.refused`.
 */
export class ServerProblem extends EngineError {
  /** HTTP status of the response. */
  readonly status: number;
  /** Time after which a retry may succeed, in milliseconds. `undefined` if the server sent none. */
  readonly retryAfterMs: number | undefined;
  readonly #problem: Problem;

  /** Creates the error of a response. */
  constructor(problem: Problem) {
    super(isErrorCode(problem.code) ? problem.code : "server.refused", { problem: problem.detail });
    this.message = problem.detail;
    this.status = problem.status;
    this.retryAfterMs = problem.retry_after === undefined ? undefined : problem.retry_after * 1000;
    this.#problem = problem;
  }

  /** Recommended action, in one sentence. */
  override get remedy(): string {
    return this.#problem.remedy;
  }

  /** True if the same request may succeed later. */
  override get retryable(): boolean {
    return this.#problem.retryable;
  }
}

/** Parses the problem in the body of an error response; `undefined` if the body contains none. */
export function parseProblem(text: string): Problem | undefined {
  try {
    const { type, title, status, detail, code, remedy, retryable, retry_after, limit } = JSON.parse(text);
    const texts = [detail, code, remedy].every((value) => typeof value === "string");
    if (!texts || typeof status !== "number") return undefined;
    const known = { type, title, status, detail, code, remedy, retryable: retryable === true };
    return {
      ...known,
      ...(typeof retry_after === "number" && retry_after >= 0 ? { retry_after } : {}),
      ...(typeof limit === "number" ? { limit } : {}),
    };
  } catch {
    return undefined;
  }
}
