import type { SessionOptions } from "../session/session-options.ts";

/** Options of `resumeSession`. The request is stored with the run; an option given here replaces the stored one. */
export interface ResumeSessionOptions extends SessionOptions {
  /** Whether to take the run over from a process that still works on it. Default: false. */
  takeOver?: boolean | undefined;
  /**
   * Whether the environment has another name than before, but holds the same workspace: another address of the same
   * machine, for example. Without it, a run resumes only in an environment of the same name. Default: false.
   */
  isMoved?: boolean | undefined;
  /**
   * Host settings that replace those of the request from this attempt on. Plain data, stored in the record with the
   * `secrets` masked. Default: none.
   */
  settings?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Reason for the resume, which the engine receives: `manual`, `crash`, `schedule`, `retry` or another word. Default:
   * `manual`.
   */
  reason?: string | undefined;
  /** Time limit of all attempts together, in seconds. Default: the input's. */
  timeoutSeconds?: number | undefined;
  /** Maximum total wait of the retries of one model turn, in seconds. Default: the input's. */
  retryForSeconds?: number | undefined;
}
