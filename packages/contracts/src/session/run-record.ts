import type { RunStatus } from "./run-status.ts";
import type { UsageView } from "./usage-view.ts";
import type { WorkspaceSource } from "./workspace-source.ts";

/** Requirements of a run on the worker that executes it, and the priority of the run. */
export interface RunPlacement {
  /** Name of the environment that the worker must have. Default: any. */
  environment?: string | undefined;
  /** Labels that the worker must have, with their values. Default: none. */
  labels?: Record<string, string> | undefined;
  /** Priority of the run: waiting runs of the same owner with a higher number start first. Default: 0. */
  priority?: number | undefined;
  /** Where the worker gets the workspace from. Default: a new folder with the uploaded files. */
  workspace?: WorkspaceSource | undefined;
}

/** Identity and status of a run: the file `run.json` of a run folder. */
export interface RunRecord {
  /** Version of this format. */
  format: 1;
  /** Id of the run, and name of its folder. */
  run_id: string;
  /** Id of the run that dispatched this run, or from which this run was forked. */
  parent_run_id?: string | undefined;
  /** Caller that the run belongs to, on servers with several callers. */
  owner?: string | undefined;
  /** Name of the engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Absolute path of the workspace. */
  workspace?: string | undefined;
  /** Name of the run's environment: `local`, `docker:IMAGE`, … */
  environment?: string | undefined;
  /** First words of the prompt, for listings. */
  title: string;
  /**
   * Environment variable value that identifies the run's processes, so that the next attempt can end processes left
   * running.
   */
  process_mark?: string | undefined;
  /**
   * Number of the newest checkpoint when the record was written. The field is updated after the first checkpoint and
   * whenever the status changes. `undefined` before the first checkpoint.
   */
  newest_checkpoint?: number | undefined;
  /**
   * Host settings that were changed when the run was resumed. They replace the host settings of the request.
   * `undefined` if none were changed.
   */
  settings?: Record<string, unknown> | undefined;
  /**
   * Requirements on the worker that executes the run, and the priority of the run. `undefined` without requirements.
   */
  placement?: RunPlacement | undefined;
  /** Name of the worker that executes the newest attempt and has the run's files. `undefined` without a cluster. */
  worker?: string | undefined;
  /** Full id of the commit that was checked out as the workspace. `undefined` without a git source. */
  commit?: string | undefined;
  /**
   * Number (epoch) of the writer that stored the run's newest report. The broker of the cluster stores the artifacts
   * and the patch of that report under this number. `undefined` if the writer stored no artifacts and no patch.
   */
  files_epoch?: number | undefined;
  /**
   * Time at which a worker reverted the changes of the run, ISO 8601. `undefined` if they were not reverted. Also
   * `undefined` for runs without a cluster: their run folder contains the time.
   */
  undone_at?: string | undefined;
  /** Number of attempts that were lost because their worker died. `undefined` if none was lost. */
  lost_attempts?: number | undefined;
  /**
   * Id of the engine's session: from the result, or from the input while there is no result. `undefined` without a
   * session.
   */
  session_id?: string | undefined;
  /** Status of the run. */
  status: RunStatus;
  /** Number of the run's newest attempt (execution); 1 for the first. */
  attempt: number;
  /** Time the run was accepted, ISO 8601. */
  created_at: string;
  /** Time the run was last queued again, ISO 8601. `undefined` if it was queued only when it was accepted. */
  queued_at?: string | undefined;
  /** Time the run's first attempt began, ISO 8601; `undefined` while the run is queued. */
  started_at?: string | undefined;
  /** Time the run ended, ISO 8601. */
  finished_at?: string | undefined;
  /** Token usage and cost of all attempts; `undefined` before the first attempt has ended. */
  usage?: UsageView | undefined;
  /** Release of Switchyard that wrote the record. */
  created_by: string;
}
