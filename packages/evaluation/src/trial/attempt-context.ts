import type { ExecutionEnvironment, Publisher } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { SessionOptions, Timer } from "@switchyard/runner";
import type { Secret } from "@switchyard/secrets";
import type { SimulatedUserModel } from "../conversation/create-conversation-engine.ts";
import type { TaskContainers } from "../harbor/task-containers.ts";
import type { AskModel } from "../model/ask-model.ts";
import type { SuiteEnvironment } from "../suite/eval-suite.ts";
import type { BudgetLedger } from "./budget-ledger.ts";
import type { NamedEvalEngine } from "./eval-engine.ts";

/** Workspaces to retain after their trials. */
export type KeptWorkspaces = "failed" | "all" | "none";

/** Session whose events are observed. */
export interface ObservedSession {
  /** Name of the engine. */
  readonly engine: string;
  /** Model reference, `provider/name`. `undefined` if it is not known in advance. */
  readonly model?: string | undefined;
}

/** Settings shared by all sessions of an evaluation. */
export interface AttemptContext {
  /** Output folder of the evaluation. Sessions store their run folders below it. */
  readonly output: string;
  /** Folder in which workspaces are created. */
  readonly workspaces: string;
  /** Name of the evaluation. */
  readonly name: string;
  /** Returns the environment of a session, given the folder of the session's workspace. */
  readonly environment: (folder: string) => EnvironmentConfig | Promise<ExecutionEnvironment>;
  /**
   * Models of the judges that can be called directly, by `keyOfModel`. If a model is missing here, the judging engine
   * or the engine of the trial calls it in a separate session.
   */
  readonly judges: ReadonlyMap<string, AskModel>;
  /** Engines that judge, by `keyOfEngine`. */
  readonly judgeEngines: ReadonlyMap<string, NamedEvalEngine>;
  /** Model that plays the user in cases with a simulated user. `undefined` if the suite contains none. */
  readonly simulatedUser: SimulatedUserModel | undefined;
  /** Environment that the suite requires. */
  readonly suiteEnvironment: SuiteEnvironment | undefined;
  /** Opens the containers of tasks. */
  readonly containers: TaskContainers;
  /** Tracks the remaining budget of the evaluation. */
  readonly budget: BudgetLedger;
  /** Opens the budgets that a session shares with other runs, unless the evaluation is stopped. `undefined`: none. */
  readonly openSharedBudget: SessionOptions["openSharedBudget"];
  /** Returns an observer of the events of a session. `undefined`: the events are not observed. */
  readonly observe: ((session: ObservedSession) => Publisher) | undefined;
  /** Secret values to mask in all output. */
  readonly secrets: readonly (string | Secret)[];
  /** Which workspaces to retain. */
  readonly keepWorkspaces: KeptWorkspaces;
  /** Aborted to stop the evaluation gracefully. */
  readonly interrupt: AbortSignal;
  /** Aborted to stop the evaluation immediately. */
  readonly signal: AbortSignal;
  /** Name and version of the program that starts the sessions. Stored in their run records. */
  readonly createdBy: string | undefined;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Clock and timeouts. */
  readonly timer: Timer;
}
