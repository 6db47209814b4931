import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { EngineError, type ExecutionEnvironment, type Publisher, toEngineError } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import { type SessionOptions, SYSTEM_TIMER, type Timer } from "@switchyard/runner";
import type { Secret } from "@switchyard/secrets";
import { assertVariables } from "../harbor/resolve-variables.ts";
import { type ContainerEngine, createTaskContainers } from "../harbor/task-containers.ts";
import { withTaskEngines } from "../harbor/task-engines.ts";
import type { OpenEvalModel } from "../model/open-eval-model.ts";
import { openLivePage } from "../page/live-page.ts";
import { judgePreferences } from "../preference/judge-preferences.ts";
import { countOutcomes, type EvalResults, summariseTrials, usagesOf } from "../results/eval-results.ts";
import { type LoggedOrder, openResultsLog, type ResultsLog, readResultsLog } from "../results/results-log.ts";
import { keyOf, type TrialResult } from "../results/trial-result.ts";
import { writeResults } from "../results/write-results.ts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import { WORKSPACES } from "../trial/attempt.ts";
import type { KeptWorkspaces, ObservedSession } from "../trial/attempt-context.ts";
import { createBudgetLedger } from "../trial/budget-ledger.ts";
import { sweepClaimedFolders } from "../trial/claimed-folder.ts";
import type { OpenEvalEngine } from "../trial/eval-engine.ts";
import { type RunTrialOptions, runTrial, skippedTrial } from "../trial/run-trial.ts";
import { planTrials, type Trial, toTrialKey } from "../trial/trial.ts";
import { checkEngines } from "./check-engines.ts";
import type { EvalProgress } from "./eval-progress.ts";
import { openEngines } from "./open-engines.ts";
import { openJudgeEngines } from "./open-judge-engines.ts";
import { type OpenedModels, openModels } from "./open-models.ts";
import {
  planSequentialStopping,
  type SequentialOptions,
  type SequentialStopping,
  sequentialResultOf,
} from "./sequential-stopping.ts";

/** Options for `runEval`. */
export interface RunEvalOptions {
  /** Function that opens an engine, given its name, the path of an engine file, or an inline engine block. */
  openEngine: OpenEvalEngine;
  /**
   * Function that returns the environment for a trial, given the local folder of the trial's workspace. It returns a
   * configuration, or an open environment that the evaluation closes.
   */
  environment: (folder: string) => EnvironmentConfig | Promise<ExecutionEnvironment>;
  /** Absolute path of the folder for results, run folders and workspaces. Created if missing. */
  output: string;
  /** Absolute path of the folder in which workspaces are created. Default: a folder below `output`. */
  workspaces?: string | undefined;
  /**
   * Function, for example `openEvalModel`, that opens the models of judges and simulated users. Required if the suite
   * has any. If it rejects with an error `model.*`, the engine that executed the trial also judges it, if the suite
   * permits that.
   */
  openModel?: OpenEvalModel | undefined;
  /**
   * Connection to the container engine that runs tasks in Harbor's format. Default: the first of `docker` and `podman`
   * that is found on the PATH. The client program and the tasks then receive no environment variables of the host.
   */
  containerEngine?: ContainerEngine | undefined;
  /**
   * Opens the budgets that a session shares with other runs. Called for each session, including those of judging
   * engines. The signal in its argument aborts when the evaluation is stopped. Default: none.
   */
  openSharedBudget?: SessionOptions["openSharedBudget"];
  /** Secret values that are masked in all output. */
  secrets?: Iterable<string | Secret> | undefined;
  /** Returns an observer that receives the events of a session, for example for telemetry. */
  observe?: ((session: ObservedSession) => Publisher) | undefined;
  /** Called with each progress event. An exception ends the evaluation. */
  onProgress?: ((progress: EvalProgress) => void) | undefined;
  /**
   * Signal that stops the evaluation gracefully: interrupts running sessions, starts no more sessions, and writes the
   * results so far.
   */
  interrupt?: AbortSignal | undefined;
  /** Signal that stops the evaluation immediately: cancels running sessions, then writes the results so far. */
  signal?: AbortSignal | undefined;
  /** Whether to start no more trials after the first `FAIL` or `ERROR`. Default: false. */
  failFast?: boolean | undefined;
  /** Workspaces to retain. Default: those of trials that ended in `FAIL` or `ERROR`. */
  keepWorkspaces?: KeptWorkspaces | undefined;
  /**
   * Whether to reuse the `PASS` and `FAIL` results in the output folder and run only the remaining trials. Default:
   * false.
   */
  resume?: boolean | undefined;
  /**
   * Stops a comparison of two engines or variants as soon as its outcome is known. The cases then run one after the
   * other in random order, and trials that are not needed are not part of the results. Default: all trials run.
   */
  sequential?: SequentialOptions | undefined;
  /** Hash of the suite file. Prevents resuming with the results of a different suite. */
  fingerprint?: string | undefined;
  /** Name and version of the program that starts the sessions. Stored in their run records. */
  createdBy?: string | undefined;
  /** Wall clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Monotonic clock and timer. Default: those of the process. */
  timer?: Timer | undefined;
}

/**
 * Creates a signal that aborts when the given signal aborts. Any number of concurrent sessions can listen to the new
 * signal without a leak warning from Node.js.
 */
function linkedSignal(callerSignal: AbortSignal | undefined): AbortSignal {
  const combined = AbortSignal.any(callerSignal === undefined ? [] : [callerSignal]);
  setMaxListeners(0, combined);
  return combined;
}

/**
 * Runs an evaluation: every case with every variant and engine, `iterations` times, each in a separate session.
 *
 * Appends each finished trial to `results.jsonl` before its worker starts the next one. While it runs, `report.html`
 * shows the progress. Finally writes `results.json`, `junit.xml` and `report.html`, and adds a line to `history.jsonl`.
 *
 * Rejects with `config.*`, `engine.*` or `model.*` before the first trial. Afterwards rejects only with
 * `run.store_failed` or `output.unwritable`.
 */
export async function runEval(suite: EvalSuite, options: RunEvalOptions): Promise<EvalResults> {
  const now = options.now ?? Date.now;
  const startedAt = new Date(now()).toISOString();
  assertUsable(suite);
  assertVariables(suite.cases, options.containerEngine?.hostEnv ?? {}, suite.name);
  const models = await openModels(suite, options.openModel);
  await using judgeEngines = await openJudgeEngines(suite, models.judges, options.openEngine);
  const context = contextOf(suite, options, { ...models, judgeEngines: judgeEngines.byKey });
  await using engines = await openEngines(suite, withTaskEngines(options.openEngine, suite.cases, context.containers));
  const planned = planTrials(suite, engines.opened);
  const stopping = options.sequential === undefined ? undefined : planSequentialStopping(planned, options.sequential);
  const trials = stopping?.trials ?? planned;
  const { output, fingerprint } = options;
  const { stored, orders, resumes } = await readStoredResults(trials, options);
  const head = { format: 1 as const, name: suite.name, fingerprint };
  await sweepClaimedFolders(context.workspaces);
  const used = { trial: engines.opened, judge: [...judgeEngines.byKey.values()] };
  const { containerEngine } = options;
  if (stored.size < trials.length) await checkEngines(suite, used, { ...context, containerEngine });
  for (const usage of [...stored.values()].flatMap(usagesOf)) context.budget.spend(usage);
  const { results, preferences } = await withLog(await openResultsLog(output, head, resumes), async (log) => {
    const results = await withLivePage({ suite, options, context, stored, log, stopping }, trials);
    return { results, preferences: await judgePreferences(suite, results, { ...context, orders, log }) };
  });
  const summary = summariseTrials({
    name: suite.name,
    started_at: startedAt,
    finished_at: new Date(now()).toISOString(),
    isInterrupted: context.interrupt.aborted || context.signal.aborted,
    warnings: context.budget.hasUnknown
      ? ["The budget could not be enforced, because the usage of some runs is unknown."]
      : [],
    trials: results,
    ...(preferences === undefined ? {} : { preferences }),
    ...(stopping === undefined ? {} : { sequential: sequentialResultOf(stopping, suite, results) }),
  });
  await writeResults(output, summary, suite.reportFormats);
  return summary;
}

function assertUsable({ engines }: EvalSuite): void {
  if (engines.length === 0) {
    throw new EngineError("config.invalid", { field: "engines", problem: "no engine is named." });
  }
}

type Helpers = OpenedModels & Pick<RunTrialOptions, "judgeEngines">;

function contextOf(suite: EvalSuite, options: RunEvalOptions, helpers: Helpers): Omit<RunTrialOptions, "onRetry"> {
  const { output, environment, createdBy, timer = SYSTEM_TIMER } = options;
  const [interrupt, signal] = [linkedSignal(options.interrupt), linkedSignal(options.signal)];
  return {
    output,
    environment,
    createdBy,
    timer,
    name: suite.name,
    retries: suite.retries,
    retryOn: suite.retryOn,
    suiteEnvironment: suite.environment,
    ...helpers,
    workspaces: options.workspaces ?? join(output, WORKSPACES),
    containers: createTaskContainers(options.containerEngine ?? {}, linkedSignal(options.signal)),
    observe: options.observe,
    openSharedBudget: stoppableBudget(options, linkedSignal(AbortSignal.any([interrupt, signal]))),
    budget: createBudgetLedger(suite.budget, timer),
    secrets: [...(options.secrets ?? [])],
    keepWorkspaces: options.keepWorkspaces ?? "failed",
    ...{ interrupt, signal },
    now: options.now ?? Date.now,
  };
}

/**
 * Returns the function that opens the budgets that a session shares with other runs. The function receives the signal
 * that aborts when the evaluation is stopped.
 */
function stoppableBudget(
  { openSharedBudget }: Pick<RunEvalOptions, "openSharedBudget">,
  stopped: AbortSignal,
): SessionOptions["openSharedBudget"] {
  return openSharedBudget && ((run) => openSharedBudget({ ...run, signal: stopped }));
}

interface StoredResults {
  /** Results of an earlier process that are reused, by trial key. */
  stored: ReadonlyMap<string, TrialResult>;
  /** Stored comparisons of two runs, which are reused. */
  orders: readonly LoggedOrder[];
  /** Whether to append to the existing results log. */
  resumes: boolean;
}

/**
 * Reads the results of an earlier process that can be reused. Rejects with `config.invalid` if they belong to a
 * different suite.
 */
async function readStoredResults(trials: readonly Trial[], options: RunEvalOptions): Promise<StoredResults> {
  const { output, fingerprint, resume } = options;
  const logged = resume === true ? await readResultsLog(output) : { head: undefined, trials: [], orders: [] };
  if (logged.head === undefined) return { stored: new Map(), orders: [], resumes: false };
  if (logged.head.fingerprint !== fingerprint) {
    const problem = `the results in ${output} belong to another evaluation, to an earlier version of it, or to another model, environment or permission mode. Choose another output folder, or start again without resuming.`;
    throw new EngineError("config.invalid", { field: "resume", problem });
  }
  const planned = new Set(trials.map((trial) => keyOf(toTrialKey(trial))));
  const decided = logged.trials.filter(({ outcome }) => outcome === "PASS" || outcome === "FAIL");
  const stored = new Map(decided.map((trial) => [keyOf(trial), trial] as const).filter(([key]) => planned.has(key)));
  return { stored, orders: logged.orders, resumes: true };
}

async function withLog<T>(log: ResultsLog, use: (log: ResultsLog) => Promise<T>): Promise<T> {
  await using ownedLog = log;
  return await use(ownedLog);
}

/** Runs all trials while `report.html` shows their progress, unless the suite excludes HTML reports. */
async function withLivePage(running: Running, trials: readonly Trial[]): Promise<TrialResult[]> {
  const { suite, options, context, stored, stopping } = running;
  if (suite.reportFormats?.includes("html") === false) return runTrials(trials, running);
  await using page = openLivePage({
    ...{ name: suite.name, concurrency: suite.concurrency, output: options.output, now: context.now },
    ...{ planned: trials.map(toTrialKey), stored: [...stored.values()] },
    mayStopEarly: stopping !== undefined || options.failFast === true,
  });
  const onProgress = (progress: EvalProgress): void => {
    page.show(progress);
    options.onProgress?.(progress);
  };
  return await runTrials(trials, { ...running, options: { ...options, onProgress } });
}

interface Running {
  suite: EvalSuite;
  options: RunEvalOptions;
  context: Omit<RunTrialOptions, "onRetry">;
  stored: ReadonlyMap<string, TrialResult>;
  log: ResultsLog;
  /** Rule by which the comparison stops early. `undefined`: all trials run. */
  stopping: SequentialStopping | undefined;
}

/**
 * Runs all trials that have no result yet, up to `concurrency` at a time. Resolves with the results in planned order.
 */
async function runTrials(trials: readonly Trial[], running: Running): Promise<TrialResult[]> {
  const { suite, options, context, stored, log } = running;
  const onProgress = options.onProgress ?? (() => undefined);
  const results = new Map<string, TrialResult>(stored);
  const open = trials.filter((trial) => !stored.has(keyOf(toTrialKey(trial)))).values();
  onProgress({ type: "eval_started", total: trials.length, reused: stored.size });
  // Counts only trials whose results are stored. Other workers may still be writing results.
  const reported = [...stored.values()];
  let failure: { error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const trial of open) {
      if (failure !== undefined || isDecided(running, results)) return;
      const key = toTrialKey(trial);
      const reason = reasonToStop(running, results);
      if (reason === undefined) onProgress({ type: "trial_started", trial: key });
      const onRetry = (attempt: { reason?: string | undefined }): void =>
        onProgress({ type: "trial_retried", trial: key, reason: attempt.reason ?? "" });
      const result =
        reason === undefined ? await runTrial(trial, { ...context, onRetry }) : skippedTrial(trial, reason);
      results.set(keyOf(key), result);
      await log.append(result);
      reported.push(result);
      const counts = { ...countOutcomes(reported), total: trials.length };
      onProgress({ type: "trial_finished", result, counts });
    }
  };
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      // The other workers finish their current trials, so that no session is abandoned.
      failure ??= { error };
    });
  await Promise.all(Array.from({ length: Math.min(suite.concurrency, trials.length) }, guarded));
  if (failure !== undefined) throw toEngineError(failure.error);
  return trials.flatMap((trial) => results.get(keyOf(toTrialKey(trial))) ?? []);
}

function isDecided({ stopping }: Running, results: ReadonlyMap<string, TrialResult>): boolean {
  return stopping !== undefined && stopping.stateOf(results).decision !== "continue";
}

function reasonToStop({ options, context }: Running, results: ReadonlyMap<string, TrialResult>): string | undefined {
  if (context.interrupt.aborted || context.signal.aborted) return "The evaluation was stopped.";
  const isFailed = ({ outcome }: TrialResult): boolean => outcome === "FAIL" || outcome === "ERROR";
  if (options.failFast === true && [...results.values()].some(isFailed)) return "A run before it did not pass.";
  return context.budget.exhausted();
}
