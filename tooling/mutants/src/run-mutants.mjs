// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chooseMutants } from "./choose-mutants.mjs";
import { applyEdit, findMutants, renderDiff } from "./find-mutants.mjs";
import { importDistances } from "./import-distance.mjs";
import { judgeMutant, ringsAround } from "./judge-mutant.mjs";
import { collectCoverage } from "./probes/collect-coverage.mjs";
import { parse } from "./syntax-tree.mjs";
import { findPackages } from "./workspace-packages.mjs";

/** @import { Mutant } from "./find-mutants.mjs" */
/** @import { JudgeContext, Ring } from "./judge-mutant.mjs" */
/** @import { WorkspacePackage } from "./workspace-packages.mjs" */

/**
 * Outcome of a mutant. `by` names the test that failed, or the test files that hung. `notRun` counts covering test
 * files of other packages that exceeded `dependents`.
 * @typedef {{ kind: "detected", by: string }
 *   | { kind: "survived", testFiles: number, notRun: number }
 *   | { kind: "equivalent", reason: string }
 *   | { kind: "listed" }} Verdict
 */

/** A mutant and its verdict. @typedef {{ mutant: Mutant, diff: string[], verdict: Verdict }} Judged */

/**
 * @typedef {object} RunOptions
 * @property {string} root folder of the repository
 * @property {number} seed
 * @property {number} count
 * @property {string | undefined} [only] folder of the package to choose from
 * @property {readonly string[] | undefined} [ids] ids of the mutants to run instead of chosen ones
 * @property {number} [parallel] how many mutants run at a time
 * @property {number} [dependents] how many test files of other packages may run for one mutant
 * @property {boolean} [listOnly] lists the mutants and runs nothing
 * @property {ReadonlyMap<string, string>} [equivalent] mutants that are not run, with the reason
 * @property {(line: string) => void} log
 * @property {(judged: Judged) => void} report
 */

/**
 * @typedef {object} RunOutcome
 * @property {number} detected
 * @property {number} survived
 * @property {number} equivalent
 * @property {string[]} staleIds ids of equivalent mutants that do not exist
 */

/** A mutant that no test has detected yet. @typedef {{ mutant: Mutant, rings: Ring[], testFiles: number, notRun: number }} Suspect */

/**
 * Chooses mutants and runs the tests that cover them: the likely tests for all mutants first, then the others.
 * @param {RunOptions} options
 * @returns {Promise<RunOutcome>}
 */
export async function runMutants(options) {
  const { root, equivalent = new Map(), dependents = 40 } = options;
  const packages = findPackages(root);
  const mutantsOf = new Map(packages.map((found) => [found.folder, mutantsIn(root, found)]));
  const counts = { detected: 0, survived: 0, equivalent: 0, listed: 0 };
  const report = (/** @type {Mutant} */ mutant, /** @type {Verdict} */ verdict) => {
    counts[verdict.kind] += 1;
    const diff = renderDiff(readFileSync(join(root, mutant.file), "utf8"), mutant.edit);
    options.report({ mutant, diff, verdict });
  };
  const distance = importDistances(root, packages);
  const context = { root, packages, distance, dependents, coverageOf: rememberedCoverage(options) };
  /** @type {Suspect[]} */
  let suspects = [];
  for (const mutant of chosenMutants(options, mutantsOf)) {
    const reason = equivalent.get(mutant.id);
    if (reason !== undefined) report(mutant, { kind: "equivalent", reason });
    else if (options.listOnly === true) report(mutant, { kind: "listed" });
    else suspects.push({ mutant, testFiles: 0, ...ringsAround(mutant, context) });
  }
  for (let round = 0; suspects.some(({ rings }) => rings.length > round); round += 1) {
    suspects = await narrowDown(suspects, { ...context, round, parallel: options.parallel ?? 1, report });
  }
  for (const { mutant, testFiles, notRun } of suspects) report(mutant, { kind: "survived", testFiles, notRun });
  const allIds = new Set([...mutantsOf.values()].flat().map(({ id }) => id));
  return { ...counts, staleIds: [...equivalent.keys()].filter((id) => !allIds.has(id)) };
}

/**
 * Runs the tests of one ring around each suspect, and returns the suspects that are left.
 * @param {Suspect[]} suspects
 * @param {JudgeContext & { round: number, parallel: number, report(mutant: Mutant, verdict: Verdict): void }} context
 * @returns {Promise<Suspect[]>}
 */
async function narrowDown(suspects, { round, parallel, report, ...context }) {
  const queue = [...suspects];
  if (round === 0) await prepareFirstRound(suspects, context);
  /** @type {Suspect[]} */
  const left = [];
  const worker = async () => {
    for (let suspect = queue.shift(); suspect !== undefined; suspect = queue.shift()) {
      const ring = suspect.rings[round];
      const { by, testFiles } =
        ring === undefined ? { by: undefined, testFiles: 0 } : await judgeMutant(suspect.mutant, ring, context);
      if (by === undefined) left.push({ ...suspect, testFiles: suspect.testFiles + testFiles });
      else report(suspect.mutant, { kind: "detected", by });
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return left;
}

/**
 * Collects the coverage that the first round needs, one package at a time: fewer processes than one mutant at a time.
 * @param {readonly Suspect[]} suspects
 * @param {JudgeContext} context
 * @returns {Promise<void>}
 */
async function prepareFirstRound(suspects, { coverageOf }) {
  /** @type {Map<WorkspacePackage, Set<string>>} */
  const wanted = new Map();
  for (const { rings } of suspects) {
    for (const { workspacePackage, tests } of rings.slice(0, 1)) {
      wanted.set(workspacePackage, new Set([...(wanted.get(workspacePackage) ?? []), ...tests]));
    }
  }
  for (const [workspacePackage, tests] of wanted) await coverageOf({ workspacePackage, tests: [...tests] });
}

/**
 * Renders a mutant and its verdict as text.
 * @param {Judged} judged
 * @returns {string}
 */
export function renderMutant({ mutant, diff, verdict }) {
  const { id, file, line, kind, operator } = mutant;
  return [
    `\n${file}:${line}  ${kind}/${operator}  ${id}`,
    ...diff.map((part) => `    ${part}`),
    renderVerdict(verdict),
  ].join("\n");
}

/**
 * @param {Judged["verdict"]} verdict
 * @returns {string}
 */
function renderVerdict(verdict) {
  switch (verdict.kind) {
    case "detected":
      return `  detected by ${verdict.by}`;
    case "survived": {
      const notRun = verdict.notRun === 0 ? "" : `; ${verdict.notRun} further test files of other packages did not run`;
      return verdict.testFiles === 0 && verdict.notRun === 0
        ? "  SURVIVED: no test covers it"
        : `  SURVIVED ${verdict.testFiles} test files${notRun}`;
    }
    case "equivalent":
      return `  equivalent: ${verdict.reason}`;
    default:
      return "";
  }
}

/**
 * @param {RunOptions} options
 * @param {ReadonlyMap<string, readonly Mutant[]>} mutantsOf
 * @returns {Mutant[]}
 */
function chosenMutants({ root, ids, only, seed, count }, mutantsOf) {
  const isValid = (/** @type {Mutant} */ { file, edit }) =>
    parse(applyEdit(readFileSync(join(root, file), "utf8"), edit)) !== undefined;
  const choice = { seed, count, isValid };
  const all = [...mutantsOf.values()].flat();
  if (ids !== undefined) {
    return ids.map((id) => {
      const mutant = all.find((candidate) => candidate.id === id);
      if (mutant === undefined) throw new Error(`No mutant has the id ${id}.`);
      return mutant;
    });
  }
  if (only === undefined) return chooseMutants(mutantsOf, choice);
  const mutants = mutantsOf.get(only);
  if (mutants === undefined) throw new Error(`No package is in ${only}.`);
  return chooseMutants(new Map([[only, mutants]]), choice);
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {Mutant[]}
 */
function mutantsIn(root, { sources }) {
  return sources.flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
}

/**
 * Collects the coverage of a package's tests once, and one part at a time.
 * @param {RunOptions} options
 * @returns {JudgeContext["coverageOf"]}
 */
function rememberedCoverage({ root, log }) {
  /** @type {Map<string, Promise<unknown>>} */
  const last = new Map();
  return (ring) => {
    const { folder } = ring.workspacePackage;
    const found = Promise.resolve(last.get(folder)).then(() => collectCoverage({ root, ...ring }, log));
    last.set(
      folder,
      found.catch(() => {}),
    );
    return found;
  };
}
