import type { ExecutionEnvironment, SessionReport, WireError } from "@switchyard/contracts";
import type { DockerContainer } from "@switchyard/environment/docker";
import type { NetworkRequests } from "@switchyard/runner";
import type { Masker, Secret } from "@switchyard/secrets";
import type { TurnRecord } from "../conversation/turn-record.ts";
import type { AssertionResult, TrialArtifact, TrialOutcome, TrialUsage } from "../results/trial-result.ts";
import type { AttemptContext } from "./attempt-context.ts";
import type { Trial } from "./trial.ts";

/** One attempt at a trial: a session and its outcome. */
export interface Attempt {
  /** Outcome of the attempt. */
  readonly outcome: TrialOutcome;
  /** Explanation. `undefined` for `PASS`. */
  readonly reason?: string | undefined;
  /** Run id. `undefined` if no session was started. */
  readonly runId?: string | undefined;
  /** Report of the session. */
  readonly report?: SessionReport | undefined;
  /** Error with which the session failed, or that prevented its start. */
  readonly error?: WireError | undefined;
  /** Results of the assertions. */
  readonly assertions: readonly AssertionResult[];
  /** Main reward of a task's tests. */
  readonly score?: number | undefined;
  /** Rewards of a task's tests, by name. */
  readonly rewards?: Readonly<Record<string, number>> | undefined;
  /** Usage of the session. */
  readonly usage: TrialUsage;
  /** Usage of the judges. `undefined` if none was called. */
  readonly judgeUsage?: TrialUsage | undefined;
  /** Usage of the simulated user. `undefined` if there was none. */
  readonly simulatedUserUsage?: TrialUsage | undefined;
  /** Folder name of the workspace. `undefined` if it was deleted. */
  readonly workspace?: string | undefined;
  /** Problems outside the session. */
  readonly warnings: readonly string[];
  /** Turns of the conversation. `undefined` if no session was started. */
  readonly turns?: readonly TurnRecord[] | undefined;
  /** Workspace files that the case collects. */
  readonly collected?: readonly TrialArtifact[] | undefined;
}

/** Name of the folder with workspaces, below the output folder. */
export const WORKSPACES = "workspaces";

/** Folder of collected workspace files, below the run folder. */
export const COLLECTED = "artifacts/workspace";

/** Environment in which a session runs. Disposing the object closes the environment. */
export interface TrialEnvironment extends AsyncDisposable {
  readonly environment: ExecutionEnvironment;
  /** Container of the session, if the case is a Harbor task. `undefined` for all other cases of the evaluation. */
  readonly container?: DockerContainer | undefined;
  /** Network requests of the environment, for the events of the session. `undefined` if no proxy decides on them. */
  readonly requests?: NetworkRequests | undefined;
  /** Messages about network requests from the environment that were refused or failed. */
  readonly refusals: ReadonlySet<string>;
}

/** State of one attempt. */
export interface AttemptParts {
  readonly trial: Trial;
  readonly context: AttemptContext;
  readonly runId: string;
  readonly masker: Masker;
  readonly secrets: readonly (string | Secret)[];
  /** Folder of the workspace on this machine. */
  readonly folder: string;
}
