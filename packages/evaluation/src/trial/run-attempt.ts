import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type ExecutionEnvironment,
  messageOf,
  type SessionHandle,
  type SessionInput,
  type SessionReport,
  toEngineError,
  type WireError,
} from "@switchyard/contracts";
import { createRunId, sessionMasker, startSession } from "@switchyard/runner";
import type { Masker, Secret } from "@switchyard/secrets";
import { checkAssertion } from "../assertion/check-assertion.ts";
import { FOLDER_MODE } from "../files/file-modes.ts";
import { systemCodeOf } from "../files/store-failure.ts";
import type { AssertionResult, TrialOutcome, TrialUsage } from "../results/trial-result.ts";
import { sumUsage, usageOfReport } from "../results/usage.ts";
import type { AttemptContext } from "./attempt-context.ts";
import { isCopyable, prepareWorkspace } from "./prepare-workspace.ts";
import { putAssertFiles } from "./put-assert-files.ts";
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
  /** Usage of the session. */
  readonly usage: TrialUsage;
  /** Usage of the judge. `undefined` if no judge was called. */
  readonly judgeUsage?: TrialUsage | undefined;
  /** Folder name of the workspace. `undefined` if it was deleted. */
  readonly workspace?: string | undefined;
  /** Problems outside the session. */
  readonly warnings: readonly string[];
}

/** Name of the folder with workspaces, below the output folder. */
export const WORKSPACES = "workspaces";

type Judged = Pick<Attempt, "outcome" | "reason" | "assertions" | "judgeUsage">;

/**
 * Runs one attempt: prepares a new workspace, opens the environment, runs a session and checks the assertions. Never
 * rejects: every failure becomes an `ERROR`, or `SKIPPED` if the evaluation was stopped. See custom-engine: error
 * handling.
 */
export async function runAttempt(trial: Trial, context: AttemptContext): Promise<Attempt> {
  const runId = createRunId(context.now());
  const folder = join(context.workspaces, runId);
  const secrets = [...context.secrets, ...(trial.engine.secrets ?? [])];
  const masker = sessionMasker({ engine: trial.engine.engine, secrets });
  let attempt: Attempt;
  try {
    const files = [...trial.case.files, ...trial.variant.files];
    await prepareWorkspace(folder, { template: trial.case.workspace, files });
    attempt = await runIn(folder, { trial, context, runId, masker, secrets });
  } catch (error) {
    attempt = brokenAttempt(error, masker, context);
  }
  return cleanUp(folder, runId, { attempt, context });
}

interface AttemptParts {
  trial: Trial;
  context: AttemptContext;
  runId: string;
  masker: Masker;
  secrets: readonly (string | Secret)[];
}

async function runIn(folder: string, parts: AttemptParts): Promise<Attempt> {
  const environment = await openPlace(folder, parts.context);
  const { value, error } = await settle(() => runWith(environment, parts));
  const left = await settle(async () => environment[Symbol.asyncDispose]());
  if (value === undefined) throw error;
  if (left.error === undefined) return value;
  const warning = `The environment could not be closed: ${parts.masker.mask(messageOf(left.error))}`;
  return { ...value, warnings: [...value.warnings, warning] };
}

async function settle<T>(action: () => Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}

async function runWith(environment: ExecutionEnvironment, parts: AttemptParts): Promise<Attempt> {
  const { trial, context, runId, secrets } = parts;
  const { engine } = trial;
  const handle = await startSession(toInput(trial, context), {
    ...{ runId, environment, secrets, stateDirectory: context.output, model: engine.model },
    ...{ engine: engine.engine, engineName: engine.name, budget: context.budget.forSession() },
    ...{ signal: context.signal, createdBy: context.createdBy, now: context.now, timer: context.timer },
    attributes: { "eval.name": context.name, "eval.engine": engine.id, "eval.iteration": String(trial.iteration) },
  });
  const report = await untilOver(handle, context.interrupt);
  const usage = usageOfReport(report);
  context.budget.spend(usage);
  const judged = await judge(report, { ...parts, environment });
  return { runId, report, usage, error: report.error, warnings: [], ...judged };
}

async function openPlace(folder: string, { environment }: AttemptContext): Promise<ExecutionEnvironment> {
  const place = await environment(folder);
  if ("readFile" in place) return place;
  const { openEnvironment } = await import("@switchyard/environment");
  return openEnvironment(place);
}

function toInput({ case: one, variant }: Trial, { budget }: AttemptContext): SessionInput {
  const kwargs = { ...one.kwargs, ...variant.kwargs };
  return {
    messages: [...one.messages],
    case_id: one.id,
    ...(variant.name === undefined ? {} : { variant: variant.name }),
    ...(Object.keys(kwargs).length === 0 ? {} : { kwargs }),
    ...(one.maxTurns === undefined ? {} : { max_turns: one.maxTurns }),
    timeout_seconds: Math.min(one.timeoutSeconds, budget.secondsLeft() ?? one.timeoutSeconds),
  };
}

async function untilOver(handle: SessionHandle, interrupt: AbortSignal): Promise<SessionReport> {
  const stop = (): void => handle.interrupt({ cause: "user_cancel", detail: "the evaluation was stopped" });
  if (interrupt.aborted) stop();
  else interrupt.addEventListener("abort", stop, { once: true });
  try {
    return await handle.result;
  } finally {
    interrupt.removeEventListener("abort", stop);
  }
}

async function judge(
  report: SessionReport,
  parts: AttemptParts & { environment: ExecutionEnvironment },
): Promise<Judged> {
  const { context } = parts;
  const isStopped = context.interrupt.aborted || context.signal.aborted;
  if (report.status === "completed") return assess(report, parts);
  if (isStopped && (report.status === "interrupted" || report.status === "cancelled")) {
    return { outcome: "SKIPPED", reason: "It was stopped before it was over.", assertions: [] };
  }
  const used = isBudgetEnd(report) ? context.budget.exhausted() : undefined;
  if (used !== undefined) return { outcome: "SKIPPED", reason: `${used} It was cut off.`, assertions: [] };
  // A session result that reports failure counts as an error of the engine. The result stays in the report.
  const code = report.result?.exit_code;
  const reason = report.error?.message ?? `The engine ended with exit code ${code ?? "unknown"}.`;
  return { outcome: "ERROR", reason, assertions: [] };
}

/** True if the session may have ended because the evaluation's budget was exhausted. */
function isBudgetEnd({ status, error }: SessionReport): boolean {
  return status === "timed_out" || error?.class === "budget_exceeded";
}

async function assess(
  report: SessionReport,
  { trial, context, masker, environment }: AttemptParts & { environment: ExecutionEnvironment },
): Promise<Judged> {
  const judged: TrialUsage[] = [];
  const signal = AbortSignal.any([context.interrupt, context.signal]);
  const evidence = {
    task: trial.case.messages.findLast(({ role }) => role === "user")?.content ?? "",
    finalMessage: report.result?.final_message ?? "",
    workspaceDiff: report.workspaceDiff ?? report.result?.artifacts?.workspace_diff,
    ...{ environment, masker, signal, judge: context.judge },
    onJudged: (usage: TrialUsage) => {
      judged.push(usage);
      context.budget.spend(usage);
    },
  };
  const assertions: AssertionResult[] = [];
  const problem = await putAssertFiles(environment, trial.case.assertFiles);
  if (problem !== undefined) return { outcome: "ERROR", reason: masker.mask(problem), assertions };
  for (const assertion of trial.case.assertions) {
    if (signal.aborted) break;
    assertions.push(await checkAssertion(assertion, evidence));
  }
  const used = judged.length === 0 ? {} : { judgeUsage: sumUsage(judged) };
  // The result of an assertion that was aborted is meaningless.
  const isCut = signal.aborted && assertions.at(-1)?.outcome === "ERROR";
  if (isCut || assertions.length < trial.case.assertions.length) {
    return { outcome: "SKIPPED", reason: "It was stopped before all assertions were decided.", assertions, ...used };
  }
  return { ...outcomeOf(assertions), assertions, ...used };
}

function outcomeOf(assertions: readonly AssertionResult[]): Pick<Attempt, "outcome" | "reason"> {
  const undecided = assertions.find(({ outcome }) => outcome === "ERROR");
  const failed = assertions.filter(({ outcome }) => outcome === "FAIL");
  const [first] = failed;
  // FAIL takes precedence over ERROR: a failed assertion matters more than one that could not be checked.
  if (first !== undefined) {
    const more = failed.length === 1 ? "" : ` (and ${failed.length - 1} more)`;
    return { outcome: "FAIL", reason: `${nameOf(first)}: ${first.reason ?? "It does not hold."}${more}` };
  }
  if (undecided !== undefined) return { outcome: "ERROR", reason: `${nameOf(undecided)}: ${undecided.reason ?? ""}` };
  return { outcome: "PASS" };
}

/** Maximum length of an assertion's `expected` value in the reason of an outcome, in characters. */
const MAX_EXPECTED = 60;

function nameOf({ kind, expected }: AssertionResult): string {
  return `${kind} ${expected.length > MAX_EXPECTED ? `${expected.slice(0, MAX_EXPECTED)}…` : expected}`;
}

function brokenAttempt(error: unknown, masker: Masker, { interrupt, signal }: AttemptContext): Attempt {
  const wire = masker.maskData(toEngineError(error).toWire());
  const isStopped = interrupt.aborted || signal.aborted;
  const outcome = isStopped ? ("SKIPPED" as const) : ("ERROR" as const);
  return { outcome, reason: wire.message, error: wire, assertions: [], usage: {}, warnings: [] };
}

interface CleanUp {
  attempt: Attempt;
  context: AttemptContext;
}

/** Moves the workspace of an ended attempt below the output folder, or deletes it. */
async function cleanUp(folder: string, name: string, { attempt, context }: CleanUp): Promise<Attempt> {
  const { keepWorkspaces: keep, output } = context;
  const isKept = keep === "all" || (keep === "failed" && (attempt.outcome === "FAIL" || attempt.outcome === "ERROR"));
  try {
    if (!isKept) await rm(folder, { recursive: true, force: true });
    else await move(folder, join(output, WORKSPACES, name));
    return isKept ? { ...attempt, workspace: name } : attempt;
  } catch (error) {
    // Removal may fail, for example because a container wrote files as another user.
    const warning = `The workspace ${folder} could not be ${isKept ? "kept" : "removed"}: ${messageOf(error)}`;
    return { ...attempt, warnings: [...attempt.warnings, warning] };
  }
}

async function move(from: string, to: string): Promise<void> {
  if (from === to) return;
  await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE });
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCodeOf(error) !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: isCopyable });
    await rm(from, { recursive: true, force: true });
  }
}
