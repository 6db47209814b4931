// @ts-check
import { modelOf } from "../variants/variants.mjs";
import { variantIn } from "./case-name.mjs";
import { planCases } from "./plan-cases.mjs";
import { runReferences } from "./reference-run.mjs";
import { runAll } from "./run-all.mjs";
import { runNamedCase } from "./run-named-case.mjs";
import { isSyscall, straceProblem } from "./strace.mjs";
import { renderProblems, summarise } from "./summary.mjs";
import { findOutSuspects } from "./suspects.mjs";

/** @import { Skip } from "@switchyard/suite/result-line" */
/** @import { FinalState } from "../history/history.mjs" */
/** @import { Extent } from "./plan-cases.mjs" */
/** @import { Outcome } from "./run-case.mjs" */
/** @import { Summary } from "./summary.mjs" */

/**
 * Result of a sweep: figures, and one text for each failed case and each undetected fault.
 * @typedef {{ summary: Summary, boundaries: number, syscallKills: number, suspects: number, problems: string[],
 * passed: number, skipped: Skip[] }} SweepResult
 */

/**
 * Sweeps the correct store and each faulty variant.
 * @param {Extent} extent
 * @param {(line: string) => void} [tell]
 * @returns {Promise<SweepResult>}
 */
export async function runSweep(extent, tell = () => {}) {
  const noStrace = straceProblem();
  const traced = noStrace === undefined;
  const references = await runReferences(traced);
  const cases = planCases(references, extent);
  const boundaries = Object.entries(references).map(([name, { labels }]) => `${labels.length} in ${name}`);
  tell(`boundaries: ${boundaries.join(", ")}; ${cases.length} cases`);
  let done = 0;
  const work = async (/** @type {string} */ name) => {
    const outcome = await runSafely(name, references[modelOf(variantIn(name))].final);
    done += 1;
    for (const line of renderProblems(outcome)) tell(line);
    if (done % 50 === 0) tell(`${done} of ${cases.length} cases`);
    return outcome;
  };
  const outcomes = await runAll(cases, work, extent.parallel);
  const wrong = await findOutSuspects(references, extent, tell);
  const found = Object.values(references)
    .flatMap(({ violations }) => violations)
    .map(({ promise, kind, detail }) => `uninterrupted: ${promise} ${kind}: ${detail}`);
  const broken = outcomes.map(renderProblems).filter((lines) => lines.length > 0);
  return {
    summary: summarise(outcomes),
    boundaries: Object.values(references).reduce((total, { labels }) => total + labels.length, 0),
    syscallKills: outcomes.filter(({ name, kills }) => kills > 0 && isSyscallCase(name)).length,
    suspects: wrong.found + wrong.missed.length,
    problems: [...found, ...broken.map((lines) => lines.join("\n")), ...wrong.missed],
    passed: outcomes.length - broken.length + wrong.found,
    skipped: noStrace === undefined ? [] : [{ name: "kills in system calls", reason: noStrace }],
  };
}

/**
 * @param {string} name
 * @returns {boolean}
 */
function isSyscallCase(name) {
  return isSyscall(name.split("/")[1] ?? "");
}

/**
 * Runs a case. An error of the harness counts as a failure.
 * @param {string} name
 * @param {FinalState} reference
 * @returns {Promise<Outcome>}
 */
async function runSafely(name, reference) {
  try {
    return await runNamedCase(name, reference);
  } catch (error) {
    const detail = error instanceof Error ? `${error.message}` : String(error);
    return {
      name,
      violations: [{ promise: "D1", kind: "run_stuck", detail }],
      kills: 0,
      attempts: 0,
      recoveryMs: 0,
      struck: undefined,
      history: { runId: name, powerLoss: false, moments: [], ledger: [], final: undefined, reference },
    };
  }
}
