import type { WireError } from "../errors/engine-error.ts";
import type { Usage } from "../model/usage.ts";
import type { RunStatus } from "./run-status.ts";
import type { SessionResult } from "./session-result.ts";

/** An artifact in the archive of a run, or the reason why it was not archived. */
export interface ArchivedArtifact {
  /** Name that the engine declared. */
  name: string;
  /** Path below the run's `artifacts/` folder; `undefined` if the artifact was dropped. */
  path?: string | undefined;
  /** Size in bytes. */
  bytes?: number | undefined;
  /** MIME type. */
  contentType?: string | undefined;
  /** Reason why the artifact was not archived. `undefined` if it was archived. */
  dropped?: string | undefined;
}

/** Times of a run. */
export interface RunTiming {
  /** Time the first attempt began, ISO 8601. */
  startedAt: string;
  /** Time the last attempt ended, ISO 8601. */
  finishedAt: string;
  /** Working time of all attempts, in milliseconds, by the monotonic clock. */
  durationMs: number;
}

/** A failed attempt that was retried. */
export interface FailedAttempt {
  /** Number of the attempt, as in the attempt's events. */
  attempt: number;
  /** Error with which the attempt failed. */
  error: WireError;
  /** Wait before the next attempt, in milliseconds. */
  delayMs: number;
}

/** A switch from a model that failed to a fallback model. */
export interface ModelFallback {
  /** Model reference that failed, `provider/name`. */
  from: string;
  /** Model reference of the fallback. */
  to: string;
  /** Why the model failed. */
  error: WireError;
}

/** Usage of one model during a run. */
export interface ModelUse {
  /** Model id, as the provider reports it. */
  model: string;
  /** Number of responses, including discarded ones. */
  calls: number;
  /** Token usage and cost of the model's responses in this run. */
  usage: Usage;
}

/** Reason why a changed file is not in the diff of a run. */
export type OmissionReason = "ignored" | "installed" | "too_large" | "special" | "repository";

/** A file that changed during a run but is not in its diff. */
export interface OmittedFile {
  /** Path relative to the workspace; ends with `/` for a folder. */
  path: string;
  /**
   * `ignored`: git ignores it. `installed`: it is in a folder of installed or compiled files, such as `node_modules`.
   * `too_large`: it is too large or unreadable. `special`: it is a pipe, socket or device. `repository`: it is internal
   * data of a repository.
   */
  reason: OmissionReason;
}

/** A git reference or index that changed during a run. */
export interface ReferenceChange {
  /** Folder of the repository, relative to the top-level folder; empty for the top-level repository. */
  folder: string;
  /** Name of the reference (`refs/heads/main`), `HEAD`, or `index` for staged changes. */
  name: string;
  /** Object id before the run, or the branch that `HEAD` pointed to. `undefined` if the reference did not exist. */
  before?: string | undefined;
  /** Object id after the run, or the branch that `HEAD` points to. `undefined` if the reference was removed. */
  after?: string | undefined;
}

/** Report of a finished run: the value of `SessionHandle.result`, and the file `report.json`. */
export interface SessionReport {
  /** Id of the run. */
  runId: string;
  /** Name of the engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Name of the run's environment: `local`, `docker:IMAGE`, … */
  environment?: string | undefined;
  /** Final status. */
  status: RunStatus;
  /** Result of the engine; `undefined` if the engine returned no result. */
  result?: SessionResult | undefined;
  /**
   * Final message, parsed as the document that the output schema requires. `undefined` if no schema was given or the
   * run did not complete.
   */
  output?: unknown;
  /** Error that explains why there is no valid result or why the run was stopped. */
  error?: WireError | undefined;
  /** Why the run cannot be resumed although its status would allow a resume. `undefined` if the run can be resumed. */
  resumeError?: WireError | undefined;
  /** Failed attempts that were retried, in order; `undefined` if there were none. */
  failedAttempts?: FailedAttempt[] | undefined;
  /** Switches to a fallback model, in order. `undefined` if there were none. */
  modelFallbacks?: ModelFallback[] | undefined;
  /**
   * Usage per model, in the order of the models' first responses. `undefined` if fewer than two models reported usage.
   */
  models?: ModelUse[] | undefined;
  /** Artifacts of the run, both archived ones and those that were not archived. */
  artifacts: ArchivedArtifact[];
  /** Problems that did not stop the run, one sentence each. */
  warnings?: string[] | undefined;
  /** Token usage and cost of all model calls. */
  usage: Usage;
  /** Times of the run. */
  timing: RunTiming;
  /**
   * Changes to the workspace as a unified diff, for reading. `undefined` if the workspace has no git and is not
   * temporary.
   */
  workspaceDiff?: string | undefined;
  /** Changed files that are not in the diff; `undo` does not restore them. `undefined` if there are none. */
  workspaceLeftOut?: OmittedFile[] | undefined;
  /** Branches, tags, stashes and staged changes that the run changed. `undefined` if there are none. */
  workspaceReferences?: ReferenceChange[] | undefined;
  /** Absolute path of a patch file for `git apply`, if the workspace was temporary. */
  workspacePatch?: string | undefined;
  /** Absolute path of the run folder. */
  runFolder?: string | undefined;
}
