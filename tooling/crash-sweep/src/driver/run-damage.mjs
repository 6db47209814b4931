// @ts-check
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMoments } from "../worker/oracle.mjs";
import { makeCaseFolder, removeCaseFolder } from "./case-folder.mjs";
import { observe } from "./observe.mjs";
import { attemptOf, judge, RUN_ID } from "./run-case.mjs";
import { runWorker } from "./run-worker.mjs";

/** @import { Moment, Violation } from "../history/history.mjs" */
/** @import { CaseFolder } from "./case-folder.mjs" */
/** @import { Case, Outcome } from "./run-case.mjs" */

/**
 * Kills a run and changes one byte of its checkpoints. It must neither resume nor start over. After the byte is
 * restored, it resumes.
 * @param {Case} given
 * @returns {Promise<Outcome>}
 */
export async function runDamage(given) {
  const folder = makeCaseFolder(given.variant);
  try {
    const strike = { at: given.killAt, signal: /** @type {const} */ ("SIGKILL") };
    const ends = [await runWorker({ ...attemptOf(folder, false), strike }, { root: folder.root })];
    const { isListed, isOver } = await observe(folder, RUN_ID);
    const damaged = damage(folder);
    if (damaged !== undefined && !isOver) {
      ends.push(await runWorker(attemptOf(folder, true), { root: folder.root }));
      damaged.undo();
    }
    ends.push(await runWorker(attemptOf(folder, isListed), { root: folder.root }));
    await observe(folder, RUN_ID);
    const outcome = await judge({ folder, given, ends });
    const refusals = damaged === undefined || isOver ? [] : judgeRefusal(readMoments(folder.oracle), ends[1]?.pid ?? 0);
    return { ...outcome, violations: [...outcome.violations, ...refusals] };
  } finally {
    removeCaseFolder(folder);
  }
}

/**
 * Changes one byte in the middle of the newest checkpoint log. `undefined` if there is none yet.
 * @param {CaseFolder} folder
 * @returns {{ undo: () => void } | undefined}
 */
function damage({ stateDirectory }) {
  const folder = join(stateDirectory, "runs", RUN_ID, "checkpoints");
  const logs = existsSync(folder)
    ? readdirSync(folder).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    : [];
  const [last] = logs.slice(-1);
  if (last === undefined) return undefined;
  const path = join(folder, last);
  const content = readFileSync(path);
  const changed = Buffer.from(content);
  // In the first line, because the end of the last one may be truncated by a crash, which is not damage.
  const at = Math.floor(content.indexOf("\n") / 2);
  if (at <= 0) return undefined;
  changed[at] = (changed[at] ?? 0) ^ 1;
  writeFileSync(path, changed);
  return { undo: () => writeFileSync(path, content) };
}

/**
 * @param {readonly Moment[]} moments
 * @param {number} pid
 * @returns {Violation[]}
 */
function judgeRefusal(moments, pid) {
  const code = moments.flatMap((moment) => (moment.at === "locked_out" && moment.pid === pid ? [moment.code] : []))[0];
  if (code === "checkpoint.corrupt") return [];
  const detail = `a damaged checkpoint was ${code === undefined ? "not refused" : `refused as ${code}`}`;
  return [{ promise: "D3", kind: "torn_read", detail }];
}
