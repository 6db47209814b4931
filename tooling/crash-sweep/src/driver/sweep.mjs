// @ts-check
import { planCases } from "./plan-cases.mjs";
import { runReference } from "./reference-run.mjs";
import { runAll } from "./run-all.mjs";
import { runNamedCase } from "./run-named-case.mjs";
import { SYSCALLS, straceProblem } from "./strace.mjs";
import { renderProblems, summarise } from "./summary.mjs";
import { findOutWrongStores } from "./wrong-stores.mjs";

/** @import { Skip } from "@switchyard/suite/result-line" */
/** @import { FinalState } from "../history/history.mjs" */
/** @import { Extent } from "./plan-cases.mjs" */
/** @import { Outcome } from "./run-case.mjs" */
/** @import { Summary } from "./summary.mjs" */

/**
 * What a sweep found: figures, one text for each case that broke a promise and for each wrong store that broke none.
 * @typedef {{ summary: Summary, boundaries: number, syscallKills: number, suspects: number, problems: string[],
 *   passed: number, skipped: Skip[] }} SweepResult
 */

/**
 * Sweeps over the right store and over each wrong one.
 * @param {Extent} extent
 * @param {(line: string) => void} [tell]
 * @returns {Promise<SweepResult>}
 */
export async function runSweep(extent, tell = () => {}) {
  const noStrace = straceProblem();
  const traced = noStrace === undefined;
  const file = await runReference({ variant: "file", traced });
  const sqlite = await runReference({ variant: "sqlite", traced });
  const cases = planCases({ file, sqlite }, extent);
  tell(`${file.labels.length} boundaries in files, ${sqlite.labels.length} round a database, ${cases.length} cases`);
  let done = 0;
  const outcomes = await runAll(cases, async (name) => {
    const outcome = await runSafely(name, name.startsWith("sqlite/") ? sqlite.final : file.final);
    done += 1;
    if (done % 50 === 0) tell(`${done} of ${cases.length} cases`);
    return outcome;
  });
  const wrong = await findOutWrongStores(file, extent, tell);
  const found = [...file.violations, ...sqlite.violations].map(
    ({ promise, kind, detail }) => `uninterrupted: ${promise} ${kind}: ${detail}`,
  );
  const broken = outcomes.map(renderProblems).filter((lines) => lines.length > 0);
  return {
    summary: summarise(outcomes),
    boundaries: file.labels.length + sqlite.labels.length,
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
  return SYSCALLS.some((syscall) => name.includes(`/${syscall}/`));
}

/**
 * A case that breaks the harness is a case that failed.
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
