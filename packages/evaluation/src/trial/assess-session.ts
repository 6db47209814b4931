import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment, SessionReport } from "@switchyard/contracts";
import type { DockerContainer } from "@switchyard/environment/docker";
import { checkAssertion, skipAssertion } from "../assertion/check-assertion.ts";
import type { Evidence } from "../assertion/evidence.ts";
import type { TurnRecord } from "../conversation/turn-record.ts";
import { verifyTask } from "../harbor/verify-task.ts";
import type { AssertionResult, TrialUsage } from "../results/trial-result.ts";
import { sumUsage } from "../results/usage.ts";
import type { Assertion } from "../suite/eval-suite.ts";
import { type Attempt, type AttemptParts, COLLECTED } from "./attempt.ts";
import { claimFolder } from "./claimed-folder.ts";
import { errorLineOf } from "./error-line.ts";
import { judgeAsker } from "./judge-asker.ts";
import { openWorkspace } from "./open-workspace.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { putAssertFiles } from "./put-assert-files.ts";
import { toTrialKey } from "./trial.ts";

type Judged = Pick<Attempt, "outcome" | "reason" | "assertions" | "judgeUsage" | "score" | "rewards" | "collected"> & {
  readonly warnings?: readonly string[] | undefined;
};

/** A finished session to assess. */
export interface AssessmentParts extends AttemptParts {
  readonly environment: ExecutionEnvironment;
  /** Container of the session, if the case is a Harbor task. `undefined` for all other cases of the evaluation. */
  readonly container?: DockerContainer | undefined;
  /** Turns of the conversation. */
  readonly turns: readonly TurnRecord[];
}

/**
 * Decides the outcome of a finished session: checks the turns, the assertions that are checked first (gates), and the
 * other assertions.
 */
export async function assessSession(report: SessionReport, parts: AssessmentParts): Promise<Judged> {
  const { context } = parts;
  const isStopped = context.interrupt.aborted || context.signal.aborted;
  if (report.status === "completed")
    return parts.container === undefined ? assess(report, parts) : verify(report, parts);
  if (isStopped && (report.status === "interrupted" || report.status === "cancelled")) {
    return { outcome: "SKIPPED", reason: "The run was stopped before it ended.", assertions: [] };
  }
  const used = isBudgetEnd(report) ? context.budget.exhausted() : undefined;
  if (used !== undefined) return { outcome: "SKIPPED", reason: `${used} It was cut off.`, assertions: [] };
  if (report.status === "timed_out" && parts.container !== undefined) return verify(report, parts);
  // A session result that reports failure counts as an error of the engine. The result stays in the report.
  const code = report.result?.exit_code;
  const why = errorLineOf(report.result?.stderr);
  const ended = `The engine ended with exit code ${code ?? "unknown"}${why === undefined ? "." : `: ${why}`}`;
  const reason = report.error?.message ?? ended;
  return { outcome: "ERROR", reason, assertions: [] };
}

/** True if the session may have ended because the evaluation's budget was exhausted. */
function isBudgetEnd({ status, error }: SessionReport): boolean {
  return status === "timed_out" || error?.class === "budget_exceeded";
}

/** Runs the tests of a task. Like Harbor, also runs them if the engine exceeded its time limit. */
async function verify(report: SessionReport, parts: AssessmentParts): Promise<Judged> {
  const { trial, context, masker, container, folder } = parts;
  const { task, timeoutSeconds } = trial.case;
  if (task === undefined || container === undefined) return { outcome: "ERROR", reason: "No tests.", assertions: [] };
  const target = report.runFolder === undefined ? folder : join(report.runFolder, COLLECTED, "logs");
  const signal = AbortSignal.any([context.interrupt, context.signal]);
  const verified = await verifyTask({ task, container, containers: context.containers, target, masker, signal });
  if (report.status !== "timed_out") return verified;
  const warning = `The engine did not end within ${timeoutSeconds} s. The tests ran with the files it had written.`;
  return { ...verified, warnings: [warning, ...verified.warnings] };
}

async function assess(report: SessionReport, parts: AssessmentParts): Promise<Judged> {
  const { trial, masker, environment, turns } = parts;
  const gates = trial.case.gates ?? [];
  const failed = turns.findIndex(({ status }) => status === "failed");
  // A condition that skips the remaining turns leaves the decision to the assertions.
  if (failed >= 0 && turns.at(-1)?.status !== "skipped") {
    const skipped = [...gates, ...trial.case.assertions].map((one) => skipAssertion(one, "The conversation failed."));
    return { outcome: "FAIL", reason: `Turn ${failed + 1}: ${turns[failed]?.reason ?? ""}`, assertions: skipped };
  }
  const judged: TrialUsage[] = [];
  const evidence = evidenceOf(report, parts, judged);
  const problem = await putAssertFiles(environment, trial.case.assertFiles);
  if (problem !== undefined) return { outcome: "ERROR", reason: masker.mask(problem), assertions: [] };
  const first = await checkAll(gates, evidence);
  const isPassed = first.every(({ outcome }) => outcome === "PASS");
  const rest = isPassed
    ? await checkJudges(evidence, parts)
    : trial.case.assertions.map((one) => skipAssertion(one, "An expectation does not hold."));
  const assertions = [...first, ...rest];
  const used = judged.length === 0 ? {} : { judgeUsage: sumUsage(judged) };
  // The result of an assertion that was aborted is meaningless.
  const isCut = evidence.signal.aborted && assertions.at(-1)?.outcome === "ERROR";
  if (isCut || assertions.length < gates.length + trial.case.assertions.length) {
    return { outcome: "SKIPPED", reason: "It was stopped before all assertions were decided.", assertions, ...used };
  }
  const isErrorDecisive = trial.case.hasIndependentJudges === true && isPassed;
  return { ...outcomeOf(assertions, isErrorDecisive), assertions, ...used };
}

function evidenceOf(report: SessionReport, parts: AssessmentParts, judged: TrialUsage[]): Evidence {
  const { trial, context, masker, environment, turns } = parts;
  const { case: one } = trial;
  const completed = turns.findLast(({ status }) => status === "completed");
  const isConversation = one.turns !== undefined && completed !== undefined;
  return {
    task:
      one.messages.findLast(({ role }) => role === "user")?.content ?? turns.map(({ content }) => content).join("\n\n"),
    finalMessage: isConversation ? completed.response : (report.result?.final_message ?? ""),
    exitCode: report.result?.exit_code ?? 0,
    result: report.result,
    workspaceDiff: report.workspaceDiff ?? report.result?.artifacts?.workspace_diff,
    trial: toTrialKey(trial),
    environment,
    masker,
    turns,
    signal: AbortSignal.any([context.interrupt, context.signal]),
    askJudge: judgeAsker(parts),
    onJudged: (usage: TrialUsage) => {
      judged.push(usage);
      context.budget.spend(usage);
    },
  };
}

async function checkAll(assertions: readonly Assertion[], evidence: Evidence): Promise<AssertionResult[]> {
  const results: AssertionResult[] = [];
  for (const assertion of assertions) {
    if (evidence.signal.aborted) break;
    results.push(await checkAssertion(assertion, evidence));
  }
  return results;
}

/** Checks the assertions. Independent judges each see a copy of the workspace as the session left it. */
async function checkJudges(evidence: Evidence, parts: AssessmentParts): Promise<AssertionResult[]> {
  const { assertions, hasIndependentJudges } = parts.trial.case;
  if (hasIndependentJudges !== true) return checkAll(assertions, evidence);
  const results: AssertionResult[] = [];
  for (const id of new Set(assertions.map(({ judge }) => judge))) {
    const own = assertions.filter(({ judge }) => judge === id);
    const folder = `${parts.folder}-judge`;
    await using _ = await claimFolder(folder);
    try {
      await prepareWorkspace(folder, { template: parts.folder, files: [] });
      await using environment = (await openWorkspace(folder, parts.context)).environment;
      results.push(...(await checkAll(own, { ...evidence, environment })));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return results;
}

/**
 * FAIL takes precedence over ERROR: a failed assertion matters more than one that could not be checked. Between
 * independent judges, ERROR takes precedence: the verdict is incomplete.
 */
function outcomeOf(
  assertions: readonly AssertionResult[],
  isErrorDecisive: boolean,
): Pick<Attempt, "outcome" | "reason"> {
  const undecided = assertions.find(({ outcome }) => outcome === "ERROR");
  const failed = assertions.filter(({ outcome }) => outcome === "FAIL");
  const [first] = failed;
  if (first !== undefined && !(isErrorDecisive && undecided !== undefined)) {
    const more = failed.length === 1 ? "" : ` (and ${failed.length - 1} more)`;
    return { outcome: "FAIL", reason: `${nameOf(first)}: ${first.reason ?? "It does not hold."}${more}` };
  }
  if (undecided !== undefined) return { outcome: "ERROR", reason: `${nameOf(undecided)}: ${undecided.reason ?? ""}` };
  return { outcome: "PASS" };
}

/** Maximum length of an assertion's `expected` value in the reason of an outcome, in characters. */
const MAX_EXPECTED = 60;

function nameOf({ kind, expected, judge }: AssertionResult): string {
  const name = judge === undefined ? kind : `${judge} ${kind}`;
  return `${name} ${expected.length > MAX_EXPECTED ? `${expected.slice(0, MAX_EXPECTED)}…` : expected}`.trimEnd();
}
