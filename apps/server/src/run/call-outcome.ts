import type { SessionReport, SessionResult, WireError } from "@switchyard/contracts";

/** Outcome of a `POST /v1/run` request: a result or an error. A failed run may have a result too. */
export interface CallOutcome {
  /** Id of the run. */
  readonly runId: string;
  /** Final status. */
  readonly status: SessionReport["status"];
  /** Result of the run. */
  readonly result?: SessionResult | undefined;
  /** Error, if there is no result. */
  readonly error?: WireError | undefined;
}
