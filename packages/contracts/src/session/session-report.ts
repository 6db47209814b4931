import type { WireError } from "../errors/engine-error.ts";
import type { Usage } from "../model/usage.ts";
import type { RunStatus } from "./run-status.ts";
import type { SessionResult } from "./session-result.ts";

/** One artifact as it lies in the archive of a run, or the reason why it does not. */
export interface ArchivedArtifact {
  /** Declared name. */
  name: string;
  /** Path below the run's `artifacts/` folder; absent when it was dropped. */
  path?: string | undefined;
  /** Size in bytes. */
  bytes?: number | undefined;
  /** MIME type. */
  contentType?: string | undefined;
  /** Why it was not archived. */
  dropped?: string | undefined;
}

/** When a run happened. */
export interface RunTiming {
  /** When the first attempt began, ISO 8601. */
  startedAt: string;
  /** When the last attempt ended, ISO 8601. */
  finishedAt: string;
  /** Time it was worked on, all attempts together, in milliseconds by the monotonic clock. */
  durationMs: number;
}

/** An attempt of a run that failed and was followed by another one. */
export interface FailedAttempt {
  /** Its number, as its events carry it. */
  attempt: number;
  /** What it failed with. */
  error: WireError;
  /** Wait before the next one, in milliseconds. */
  delayMs: number;
}

/** A change from a model that failed to a fallback model. */
export interface ModelFallback {
  /** Model reference that failed, `provider/name`. */
  from: string;
  /** Model reference that was called in its place. */
  to: string;
  /** Why the first one failed. */
  error: WireError;
}

/** Model calls of a run that one model responded to. */
export interface ModelUse {
  /** Model id, as the provider reports it. */
  model: string;
  /** Number of responses, discarded ones included. */
  calls: number;
  /** Tokens and cost of these responses. */
  usage: Usage;
}

/** Why a changed file is not in the diff of a run. */
export type LeftOutReason = "ignored" | "installed" | "too_large" | "special" | "repository";

/** A file that changed during a run and is not in its diff. */
export interface LeftOutFile {
  /** Path, relative to the workspace; a folder ends with `/`. */
  path: string;
  /** Why: git ignores it, it is in a folder of installed or compiled files such as `node_modules`, it is too large or unreadable, it is a pipe, socket or device, or it belongs to a repository's own data. */
  reason: LeftOutReason;
}

/** A branch, tag, stash, `HEAD` or index that changed during a run. */
export interface ReferenceChange {
  /** Folder of the repository, relative to the top folder; empty for the top repository. */
  folder: string;
  /** Reference (`refs/heads/main`), `HEAD`, or `index` for what is staged. */
  name: string;
  /** Object id, or the branch that `HEAD` names; `undefined` if it did not exist. */
  before?: string | undefined;
  /** The same after the run; `undefined` if it was removed. */
  after?: string | undefined;
}

/** What a host knows when a run is over: the value of `SessionHandle.result` and the file `report.json`. */
export interface SessionReport {
  /** Id of the run. */
  runId: string;
  /** Name of the engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** Name of the place where its files and processes live: `local`, `docker:IMAGE`, … */
  environment?: string | undefined;
  /** How it ended. */
  status: RunStatus;
  /** The engine's result; absent only when it gave none. */
  result?: SessionResult | undefined;
  /** The document that was asked for, where an output schema was given and the run completed: it fits that. */
  output?: unknown;
  /** Why there is no valid result, or why it was stopped. */
  error?: WireError | undefined;
  /** Why it cannot be gone on with, where one would take it from its status that it can. */
  resumeError?: WireError | undefined;
  /** Attempts before the last one that failed and were tried again, in order; absent when there were none. */
  failedAttempts?: FailedAttempt[] | undefined;
  /** Changes to a fallback model, in order. `undefined` if there were none. */
  modelFallbacks?: ModelFallback[] | undefined;
  /** Models that reported usage, in the order of their first responses. `undefined` if there were not several. */
  models?: ModelUse[] | undefined;
  /** What was archived and what was dropped. */
  artifacts: ArchivedArtifact[];
  /** What was not as it should be although the run went on, one sentence each. */
  warnings?: string[] | undefined;
  /** All model calls together. */
  usage: Usage;
  /** When it happened. */
  timing: RunTiming;
  /** Changes to the workspace as a unified diff for reading, where there is git or it was temporary. */
  workspaceDiff?: string | undefined;
  /** Changed files that are not in the diff; `undo` does not restore them. `undefined` if there are none. */
  workspaceLeftOut?: LeftOutFile[] | undefined;
  /** Branches, tags, stashes and staged changes that the run changed. `undefined` if there are none. */
  workspaceReferences?: ReferenceChange[] | undefined;
  /** Absolute path of a file with these changes, where the workspace was temporary: they are applied with `git apply`. */
  workspacePatch?: string | undefined;
  /** Absolute path of the run folder. */
  runFolder?: string | undefined;
}
