import type { RunStatus } from "./run-status.ts";

/** Who a run is and how it stands: the file `run.json` of a run folder. */
export interface RunRecord {
  /** Version of this format. */
  format: 1;
  /** Id of the run and name of its folder. */
  run_id: string;
  /** Run that dispatched this one. */
  parent_run_id?: string | undefined;
  /** Whose it is, where a host works for several. */
  owner?: string | undefined;
  /** Name of the engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Absolute path of the workspace. */
  workspace?: string | undefined;
  /** Name of the place where its files and processes live: `local`, `docker:IMAGE`, … */
  environment?: string | undefined;
  /** First words of the task, for listings. */
  title: string;
  /** Mark of the processes that its environment starts, so that the next attempt can end what this one left running. */
  process_mark?: string | undefined;
  /**
   * Number of the newest checkpoint when the record was written. It is written after the first checkpoint and when the
   * status changes. `undefined` before the first checkpoint.
   */
  newest_checkpoint?: number | undefined;
  /**
   * Settings of the host that replace those of the same names in the request since the run was resumed. `undefined` if no
   * resume changed any.
   */
  settings?: Record<string, unknown> | undefined;
  /** Where it stands. */
  status: RunStatus;
  /** 1-based number of the attempt. */
  attempt: number;
  /** When it was accepted, ISO 8601. */
  created_at: string;
  /** When its first attempt began, ISO 8601; absent while it waits for that. */
  started_at?: string | undefined;
  /** When it ended, ISO 8601. */
  finished_at?: string | undefined;
  /** Release that wrote the record. */
  created_by: string;
}
