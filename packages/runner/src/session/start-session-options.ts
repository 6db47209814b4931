import type { RunPlacement } from "@switchyard/contracts";
import type { SessionOptions } from "./session-options.ts";

/** Options of `startSession`. */
export interface StartSessionOptions extends SessionOptions {
  /**
   * Id of the run. Default: a new id. An invalid id is rejected with `run.invalid_id`, an existing one with
   * `run.conflict`.
   */
  runId?: string | undefined;
  /** Owner of the run, for hosts with several callers. Stored in the record. */
  owner?: string | undefined;
  /** How a cluster assigns the run to a worker. Stored in the record. Default: no requirements. */
  placement?: RunPlacement | undefined;
  /** Id of the run that dispatched this run, or from which this run was forked. Default: none. */
  parentRunId?: string | undefined;
  /**
   * Settings that the host (the program that starts the run) needs to resume the run in another process, such as the
   * URL of a model's API. Plain data, stored as `RunRequest.settings` with the values of `secrets` masked. The names
   * `budget`, `retry`, `output`, `keepRawOutput` and `attributes` are reserved.
   */
  settings?: Readonly<Record<string, unknown>> | undefined;
}
