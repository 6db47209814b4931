import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { Timer } from "@switchyard/runner";
import type { Secret } from "@switchyard/secrets";
import type { EvalJudge } from "../judge/judge.ts";
import type { BudgetLedger } from "./budget-ledger.ts";

/** Which workspaces are kept when their runs are over. */
export type KeptWorkspaces = "failed" | "all" | "none";

/** What every session of an evaluation is made with. */
export interface AttemptContext {
  /** Folder of the evaluation: its sessions have their run folders below it. */
  readonly output: string;
  /** Folder in which workspaces are made. */
  readonly workspaces: string;
  /** Name of the evaluation. */
  readonly name: string;
  /** Where a session lives whose workspace is this folder. */
  readonly environment: (folder: string) => EnvironmentConfig | Promise<ExecutionEnvironment>;
  /** Decides `judge` assertions. */
  readonly judge: EvalJudge | undefined;
  /** What is left for everything. */
  readonly budget: BudgetLedger;
  /** Values that must not appear in anything. */
  readonly secrets: readonly (string | Secret)[];
  /** Which workspaces are kept. */
  readonly keepWorkspaces: KeptWorkspaces;
  /** Fires when the evaluation is to stop cleanly. */
  readonly interrupt: AbortSignal;
  /** Fires when it is to stop at once. */
  readonly signal: AbortSignal;
  /** Release that starts the runs. */
  readonly createdBy: string | undefined;
  /** Wall clock. */
  readonly now: () => number;
  /** Measures and waits. */
  readonly timer: Timer;
}
