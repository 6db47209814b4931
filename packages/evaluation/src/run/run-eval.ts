import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment, toEngineError } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import { SYSTEM_TIMER, type Timer } from "@switchyard/runner";
import type { Secret } from "@switchyard/secrets";
import type { EvalJudge } from "../judge/judge.ts";
import { countOutcomes, type EvalResults, summariseTrials } from "../results/eval-results.ts";
import { openResultsLog, type ResultsLog, readResultsLog } from "../results/results-log.ts";
import { keyOf, type TrialResult } from "../results/trial-result.ts";
import { writeResults } from "../results/write-results.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import type { KeptWorkspaces } from "../trial/attempt-context.ts";
import { createBudgetLedger } from "../trial/budget-ledger.ts";
import type { OpenEvalEngine } from "../trial/eval-engine.ts";
import { WORKSPACES } from "../trial/run-attempt.ts";
import { type RunTrialOptions, runTrial, skippedTrial } from "../trial/run-trial.ts";
import { planTrials, type Trial, toTrialKey } from "../trial/trial.ts";
import type { EvalProgress } from "./eval-progress.ts";
import { openEngines } from "./open-engines.ts";

/** How an evaluation is run. */
export interface RunEvalOptions {
  /** Opens an engine by its name, its file or its block. */
  openEngine: OpenEvalEngine;
  /**
   * Where a run lives whose workspace is this folder of this machine, a copy that is its own: a configuration, or an
   * environment, which the evaluation closes.
   */
  environment: (folder: string) => EnvironmentConfig | Promise<ExecutionEnvironment>;
  /** Absolute path of the folder for results, run folders and workspaces; made when it is missing. */
  output: string;
  /** Absolute path of the folder in which workspaces are made; one below `output` by default. */
  workspaces?: string | undefined;
  /** Decides `judge` assertions; needed where there are some. */
  judge?: EvalJudge | undefined;
  /** Values that must not appear in anything that is written. */
  secrets?: Iterable<string | Secret> | undefined;
  /** Told of what happens. What it throws ends the evaluation. */
  onProgress?: ((progress: EvalProgress) => void) | undefined;
  /** Stops cleanly: running sessions are interrupted, nothing more is begun, the results so far are written. */
  interrupt?: AbortSignal | undefined;
  /** Stops at once: running sessions are cancelled; the results so far are written all the same. */
  signal?: AbortSignal | undefined;
  /** Whether nothing more is begun after the first FAIL or ERROR; not by default. */
  failFast?: boolean | undefined;
  /** Which workspaces are kept: those of runs that ended in FAIL or ERROR by default. */
  keepWorkspaces?: KeptWorkspaces | undefined;
  /** Whether runs in the output folder that ended in PASS or FAIL are kept, and only the others made; not by default. */
  resume?: boolean | undefined;
  /** Hash of the evaluation's text: nobody goes on with the results of another one. */
  fingerprint?: string | undefined;
  /** Release that starts the runs, for their records. */
  createdBy?: string | undefined;
  /** Wall clock, in milliseconds since 1970; `Date.now` by default. */
  now?: (() => number) | undefined;
  /** Measures and waits; the process's timer by default. */
  timer?: Timer | undefined;
}

/** A signal of the evaluation's own: every session that runs listens to it, however many these are. */
function ownSignal(given: AbortSignal | undefined): AbortSignal {
  const own = AbortSignal.any(given === undefined ? [] : [given]);
  setMaxListeners(0, own);
  return own;
}

/**
 * Runs an evaluation: every case under every variant with every engine, as often as it says, each in a session of its
 * own. Every finished run is in `results.jsonl` before the next one begins in its place; at the end `results.json`,
 * `junit.xml` and `report.html` are written. Rejects before anything runs with `config.*`, `engine.*` and `model.*`,
 * afterwards only with `run.store_failed` and `output.unwritable`.
 */
export async function runEval(suite: EvalSuite, options: RunEvalOptions): Promise<EvalResults> {
  const now = options.now ?? Date.now;
  const startedAt = new Date(now()).toISOString();
  assertUsable(suite, options);
  await using engines = await openEngines(suite, options.openEngine);
  const trials = planTrials(suite, engines.opened);
  const { output, fingerprint } = options;
  const { kept, goesOn } = await keptResults(trials, options);
  const head = { format: 1 as const, name: suite.name, fingerprint };
  const context = contextOf(suite, options);
  for (const { usage } of kept.values()) context.budget.spend(usage);
  const results = await keepLog(await openResultsLog(output, head, goesOn), (log) =>
    runTrials(trials, { suite, options, context, kept, log }),
  );
  const summary = summariseTrials({
    name: suite.name,
    started_at: startedAt,
    finished_at: new Date(now()).toISOString(),
    isInterrupted: context.interrupt.aborted || context.signal.aborted,
    warnings: context.budget.hasUnknown
      ? ["The budget could not be kept: of some runs it is not known what they used."]
      : [],
    trials: results,
  });
  await writeResults(output, summary);
  return summary;
}

function assertUsable({ cases, engines }: EvalSuite, { judge }: RunEvalOptions): void {
  const isJudged = cases.some(({ assertions }) => assertions.some(({ kind }) => kind === "judge"));
  if (isJudged && judge === undefined) {
    throw new EngineError("config.invalid", { field: "judge", problem: "an assertion needs one, and there is none." });
  }
  if (engines.length === 0) {
    throw new EngineError("config.invalid", { field: "engines", problem: "no engine is named." });
  }
}

function contextOf(suite: EvalSuite, options: RunEvalOptions): Omit<RunTrialOptions, "onRetry"> {
  const { output, environment, judge, createdBy, timer = SYSTEM_TIMER } = options;
  return {
    ...{ output, environment, judge, createdBy, timer, name: suite.name, retries: suite.retries },
    workspaces: options.workspaces ?? join(output, WORKSPACES),
    budget: createBudgetLedger(suite.budget, timer),
    secrets: [...(options.secrets ?? [])],
    keepWorkspaces: options.keepWorkspaces ?? "failed",
    interrupt: ownSignal(options.interrupt),
    signal: ownSignal(options.signal),
    now: options.now ?? Date.now,
  };
}

interface KeptResults {
  /** Results that stay, by their keys. */
  kept: ReadonlyMap<string, TrialResult>;
  /** Whether there is a log that is gone on with. */
  goesOn: boolean;
}

/** What an earlier process decided about these runs. Rejects where it worked on another evaluation. */
async function keptResults(trials: readonly Trial[], options: RunEvalOptions): Promise<KeptResults> {
  const { output, fingerprint, resume } = options;
  const logged = resume === true ? await readResultsLog(output) : { head: undefined, trials: [] };
  if (logged.head === undefined) return { kept: new Map(), goesOn: false };
  if (logged.head.fingerprint !== fingerprint) {
    const problem = `the results in ${output} are those of another evaluation, or it was changed since.`;
    throw new EngineError("config.invalid", { field: "resume", problem });
  }
  const planned = new Set(trials.map((trial) => keyOf(toTrialKey(trial))));
  const decided = logged.trials.filter(({ outcome }) => outcome === "PASS" || outcome === "FAIL");
  const kept = new Map(decided.map((trial) => [keyOf(trial), trial] as const).filter(([key]) => planned.has(key)));
  return { kept, goesOn: true };
}

async function keepLog<T>(log: ResultsLog, use: (log: ResultsLog) => Promise<T>): Promise<T> {
  await using kept = log;
  return await use(kept);
}

interface Running {
  suite: EvalSuite;
  options: RunEvalOptions;
  context: Omit<RunTrialOptions, "onRetry">;
  kept: ReadonlyMap<string, TrialResult>;
  log: ResultsLog;
}

/** Runs what is to be run, so many at a time; the results are in the order of the plan. */
async function runTrials(trials: readonly Trial[], running: Running): Promise<TrialResult[]> {
  const { suite, options, context, kept, log } = running;
  const onProgress = options.onProgress ?? (() => undefined);
  const results = new Map<string, TrialResult>(kept);
  const open = trials.filter((trial) => !kept.has(keyOf(toTrialKey(trial)))).values();
  onProgress({ type: "eval_started", total: trials.length, kept: kept.size });
  // Others may be on their way to the disk: what is counted has been told of.
  const told = [...kept.values()];
  let failure: { error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const trial of open) {
      if (failure !== undefined) return;
      const key = toTrialKey(trial);
      const reason = reasonToStop(running, results);
      if (reason === undefined) onProgress({ type: "trial_started", trial: key });
      const onRetry = (attempt: { reason?: string | undefined }): void =>
        onProgress({ type: "trial_retried", trial: key, reason: attempt.reason ?? "" });
      const result =
        reason === undefined ? await runTrial(trial, { ...context, onRetry }) : skippedTrial(trial, reason);
      results.set(keyOf(key), result);
      await log.append(result);
      told.push(result);
      const counts = { ...countOutcomes(told), total: trials.length };
      onProgress({ type: "trial_finished", result, counts });
    }
  };
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      // The others end what they have begun: nobody is left behind.
      failure ??= { error };
    });
  await Promise.all(Array.from({ length: Math.min(suite.concurrency, trials.length) }, guarded));
  if (failure !== undefined) throw toEngineError(failure.error);
  return trials.flatMap((trial) => results.get(keyOf(toTrialKey(trial))) ?? []);
}

function reasonToStop({ options, context }: Running, results: ReadonlyMap<string, TrialResult>): string | undefined {
  if (context.interrupt.aborted || context.signal.aborted) return "The evaluation was stopped.";
  const isFailed = ({ outcome }: TrialResult): boolean => outcome === "FAIL" || outcome === "ERROR";
  if (options.failFast === true && [...results.values()].some(isFailed)) return "A run before it did not pass.";
  return context.budget.exhausted();
}
