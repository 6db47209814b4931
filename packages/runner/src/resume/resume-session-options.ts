import type { StoredRun } from "@switchyard/contracts";
import type { SessionOptions } from "../session/session-options.ts";

/** Options of `resumeSession`. The request is stored with the run; an option given here replaces the stored one. */
export interface ResumeSessionOptions extends SessionOptions {
  /** Whether to take over the run if another process still works on it. Default: false. */
  takeOver?: boolean | undefined;
  /**
   * Result of an earlier call of `RunStore.show` for this run, which the caller has not modified. If the run has not
   * changed since, the store need not read it again. Default: the store reads the run.
   */
  seen?: StoredRun | undefined;
  /**
   * Allows a resume in an environment whose name differs from the name in the run's record. Set this option to true
   * only if the environment contains the run's workspace, for example because only the machine's address has changed.
   * If false, such a resume is rejected with `run.not_resumable`. Default: false.
   */
  isMoved?: boolean | undefined;
  /**
   * Host settings that replace those of the stored request, from this attempt on. Plain data, stored in the run's
   * record with the values of `secrets` masked. Default: none.
   */
  settings?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Reason for the resume, which the engine receives: `manual`, `crash`, `schedule`, `retry` or another word. Default:
   * `manual`.
   */
  reason?: string | undefined;
  /** Time limit of all attempts together, in seconds. Default: the value in the session input. */
  timeoutSeconds?: number | undefined;
  /** Maximum total wait between the retries of one model turn, in seconds. Default: the value in the session input. */
  retryForSeconds?: number | undefined;
}
