import type { SessionOptions } from "./session-options.ts";

/** How a session is started. */
export interface StartSessionOptions extends SessionOptions {
  /** Id of the run; a new one by default. Refused with `run.invalid_id` or `run.conflict`. */
  runId?: string | undefined;
  /** Whose the run is, where the host works for several: `owner` of its record. */
  owner?: string | undefined;
  /** Run that dispatched this one. */
  parentRunId?: string | undefined;
  /**
   * What the host itself needs to go on with the run in another process, such as the address of a model's API: plain
   * data, kept as `RunRequest.settings` without the `secrets`. The names `budget`, `retry`, `output`, `keepRawOutput` and `attributes` are the runner's.
   */
  settings?: Readonly<Record<string, unknown>> | undefined;
}
