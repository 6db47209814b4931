import type { SessionOptions } from "../session/session-options.ts";

/** How a run is gone on with. What the run was asked to do is kept with it; what is given here wins where both say something. */
export interface ResumeSessionOptions extends SessionOptions {
  /** Takes the run from a process that still works on it; false by default. */
  takeOver?: boolean | undefined;
  /**
   * Whether its place was moved: the same workspace under another name, another address of the same machine for
   * instance. Without that it is only gone on with in an environment of the same name.
   */
  isMoved?: boolean | undefined;
  /**
   * Settings of the host that replace the request's of the same names from this attempt on: plain data, stored in the run's
   * record without the `secrets`. Default: none.
   */
  settings?: Readonly<Record<string, unknown>> | undefined;
  /** Why it is resumed, for the engine: `manual` by default, `crash`, `schedule`, `retry`, or a word of the host's. */
  reason?: string | undefined;
  /** Time limit of all attempts together in place of the input's, in seconds. */
  timeoutSeconds?: number | undefined;
  /** Longest total wait of the retries of one model turn in place of the input's, in seconds. */
  retryForSeconds?: number | undefined;
}
