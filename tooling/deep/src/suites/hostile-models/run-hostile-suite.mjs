// @ts-check
import { callClient } from "./call-client.mjs";
import { generateCase } from "./generated-case.mjs";
import { runInPlace } from "./run-in-place.mjs";
import { runKilled } from "./run-killed.mjs";

/** @import { Client } from "@switchyard/contracts" */
/** @import { HostileModelLedger } from "@switchyard/testkit" */
/** @import { DeepFailure, DeepOptions, DeepResult } from "../../deep-suite.mjs" */
/** @import { HostileCase } from "./generated-case.mjs" */

/**
 * Changes the client under test, to show that a faulty one is found out.
 * @callback Wrap
 * @param {Client} client
 * @returns {Client}
 */

/** Cases that run at the same time. */
const AT_ONCE = 2;
const PROGRESS = 100;

/**
 * @typedef {{ problems: string[], ledger: HostileModelLedger, kills?: number }} CaseOutcome
 */

/**
 * @param {HostileCase} generated
 * @param {Wrap} wrap
 * @returns {Promise<CaseOutcome>}
 */
function runCase(generated, wrap) {
  switch (generated.kind) {
    case "run":
      return runInPlace(generated, wrap);
    case "client":
      return callClient(generated, wrap);
    case "killed":
      return runKilled(generated);
  }
}

/**
 * Runs cases of the suite; `kinds` leaves others out.
 * @param {DeepOptions & { wrap?: Wrap, kinds?: readonly HostileCase["kind"][] }} options
 * @returns {Promise<DeepResult>}
 */
export async function runHostileSuite({ seed, first, count, log, wrap = (client) => client, kinds }) {
  const counts = { runs: 0, "runs that completed": 0, "calls of the client": 0, "processes killed": 0 };
  const faults = { requests: 0, "faults met": 0, "kinds of faults": 0 };
  /** @type {Set<string>} */
  const met = new Set();
  /** @type {DeepFailure[]} */
  const failures = [];
  let [next, cases] = [first, 0];
  const work = async () => {
    while (next < first + count) {
      const index = next++;
      const generated = generateCase(seed, index);
      if (kinds !== undefined && !kinds.includes(generated.kind)) continue;
      const outcome = await runCase(generated, wrap).catch((error) => String(error?.stack ?? error));
      cases += 1;
      if (cases % PROGRESS === 0) log(`${cases} of ${count}, ${failures.length} failures`);
      if (typeof outcome === "string") {
        failures.push({ case: index, problem: outcome });
        continue;
      }
      if (outcome.problems.length > 0) failures.push({ case: index, problem: describe(generated, outcome) });
      add(generated, outcome);
    }
  };
  /** @type {(generated: HostileCase, outcome: CaseOutcome) => void} */
  const add = ({ kind, plan }, { ledger: { requests }, kills = 0 }) => {
    if (kind === "client") counts["calls of the client"] += requests.length;
    else counts.runs += 1;
    if (kind !== "client" && plan.completes) counts["runs that completed"] += 1;
    counts["processes killed"] += kills;
    faults.requests += requests.length;
    faults["faults met"] += requests.filter(({ fault }) => fault !== undefined).length;
    for (const { fault } of requests) if (fault !== undefined) met.add(fault.kind);
    faults["kinds of faults"] = met.size;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  failures.sort((one, other) => one.case - other.case);
  return { cases, figures: { ...counts, ...faults }, failures };
}

/**
 * @param {HostileCase} generated
 * @param {CaseOutcome} outcome
 * @returns {string}
 */
function describe({ kind, api }, { problems, ledger }) {
  const faults = ledger.requests.map(
    ({ turn, fault, outcome, oddities }) =>
      `${turn}:${fault === undefined ? "ok" : JSON.stringify(fault)} ${oddities} ${outcome}`,
  );
  return `${kind}, ${api}: ${problems.join("; ")} [${faults.join(" | ")}]`;
}
