import { EngineError, isErrorCode, type Problem } from "@switchyard/contracts";

/**
 * What the server refused a request with, as RFC 9457 has it on the wire: an error of the table like any other, in the
 * server's own words. A code of a newer server that is unknown here is `server.refused`.
 */
export class ServerProblem extends EngineError {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Milliseconds after which it is worth to ask again, where the server says so. */
  readonly retryAfterMs: number | undefined;
  readonly #problem: Problem;

  /** Makes the error of an answer. */
  constructor(problem: Problem) {
    super(isErrorCode(problem.code) ? problem.code : "server.refused", { problem: problem.detail });
    this.message = problem.detail;
    this.status = problem.status;
    this.retryAfterMs = problem.retry_after === undefined ? undefined : problem.retry_after * 1000;
    this.#problem = problem;
  }

  /** What to do next, one sentence. */
  override get remedy(): string {
    return this.#problem.remedy;
  }

  /** Whether the same request may succeed later. */
  override get retryable(): boolean {
    return this.#problem.retryable;
  }
}

/** The problem in a body, or nothing where it is none. */
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
