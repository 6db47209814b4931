import type { RunStatus } from "./run-status.ts";

/** Identity and status of a run: the file `run.json` of a run folder. */
export interface RunRecord {
  /** Version of this format. */
  format: 1;
  /** Id of the run, and name of its folder. */
  run_id: string;
  /** Id of the run that dispatched this one, or that it was forked from. */
  parent_run_id?: string | undefined;
  /** Caller that the run belongs to, on servers with several callers. */
  owner?: string | undefined;
  /** Name of the engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Absolute path of the workspace. */
  workspace?: string | undefined;
  /** Name of its environment: `local`, `docker:IMAGE`, … */
  environment?: string | undefined;
  /** First words of the prompt, for listings. */
  title: string;
  /** Mark of its environment's processes, so that the next attempt can end those left running. */
  process_mark?: string | undefined;
  /**
   * Number of the newest checkpoint when the record was written. It is written after the first checkpoint and when the
   * status changes. `undefined` before the first checkpoint.
   */
  newest_checkpoint?: number | undefined;
  /**
   * Host settings that were changed when the run was resumed; they replace those of the request. `undefined` if none
   * were changed.
   */
  settings?: Record<string, unknown> | undefined;
  /** Status of the run. */
  status: RunStatus;
  /** 1-based number of the attempt. */
  attempt: number;
  /** Time it was accepted, ISO 8601. */
  created_at: string;
  /** Time its first attempt began, ISO 8601; `undefined` while it is queued. */
  started_at?: string | undefined;
  /** Time it ended, ISO 8601. */
  finished_at?: string | undefined;
  /** Release of Switchyard that wrote the record. */
  created_by: string;
}
