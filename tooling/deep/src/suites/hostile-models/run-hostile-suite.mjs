// @ts-check
import { callClient } from "./call-client.mjs";
import { loadWrap } from "./faulty-client.mjs";
import { generateCase } from "./generated-case.mjs";
import { runInPlace } from "./run-in-place.mjs";
import { runKilled } from "./run-killed.mjs";

/** @import { HostileModelLedger } from "@switchyard/testkit" */
/** @import { DeepFailure, DeepOptions, DeepResult } from "../../deep-suite.mjs" */
/** @import { Wrap } from "./faulty-client.mjs" */
/** @import { HostileCase } from "./generated-case.mjs" */
/** @import { KillOptions } from "./run-killed.mjs" */

/** Number of concurrent cases. */
const AT_ONCE = 2;
const PROGRESS = 100;

/**
 * @typedef {object} CaseOutcome
 * @property {string[]} problems
 * @property {HostileModelLedger} ledger
 * @property {number} [kills] Processes that were killed.
 * @property {number} [uncertainUsage] Requests of which only the client knows whether it received their usage.
 */

/**
 * @param {HostileCase} generated
 * @param {Wrap} wrap
 * @param {KillOptions} killOptions
 * @returns {Promise<CaseOutcome>}
 */
function runCase(generated, wrap, killOptions) {
  switch (generated.kind) {
    case "run":
      return runInPlace(generated, wrap);
    case "client":
      return callClient(generated, wrap);
    case "killed":
      return runKilled(generated, killOptions);
  }
}

/**
 * Runs cases of the suite. `kinds` selects some; `faulty` and `startsOver` are wrong implementations.
 * @param {DeepOptions & KillOptions & { kinds?: readonly HostileCase["kind"][] }} options
 * @returns {Promise<DeepResult>}
 */
export async function runHostileSuite({ seed, first, count, log, kinds, ...killOptions }) {
  const wrap = await loadWrap(killOptions.faulty);
  const figures = new Figures();
  /** @type {DeepFailure[]} */
  const failures = [];
  let [next, cases] = [first, 0];
  const work = async () => {
    while (next < first + count) {
      const index = next++;
      const generated = generateCase(seed, index);
      if (kinds !== undefined && !kinds.includes(generated.kind)) continue;
      const outcome = await runCase(generated, wrap, killOptions).catch((error) => String(error?.stack ?? error));
      cases += 1;
      if (cases % PROGRESS === 0) log(`${cases} of ${count}, ${failures.length} failures`);
      if (typeof outcome === "string") {
        failures.push({ case: index, problem: outcome });
        continue;
      }
      if (outcome.problems.length > 0) failures.push({ case: index, problem: describe(generated, outcome) });
      figures.add(generated, outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  failures.sort((one, other) => one.case - other.case);
  return { cases, figures: figures.all(), failures };
}

/** Figures of the cases. */
class Figures {
  #counts = {
    ...{
      runs: 0,
      "runs with responses that are not streamed": 0,
      "runs that were killed and resumed": 0,
      "runs that had to complete": 0,
    },
    ...{
      "runs whose usage equals what the server reported": 0,
      "runs in which a reset or kill may have lost usage": 0,
    },
    ...{ "calls of the client alone": 0, "processes killed": 0, requests: 0, "faults that the server caused": 0 },
    ...{ "responses that broke off after they reported usage": 0 },
  };
  /** @type {Set<string>} */
  #met = new Set();

  /**
   * @param {HostileCase} generated
   * @param {CaseOutcome} outcome
   * @returns {void}
   */
  add({ kind, plan, isStreamed }, { ledger: { requests }, kills = 0, uncertainUsage = 0 }) {
    const counts = this.#counts;
    if (kind === "client") counts["calls of the client alone"] += requests.length;
    else {
      counts.runs += 1;
      if (!isStreamed) counts["runs with responses that are not streamed"] += 1;
      if (kills > 0) counts["runs that were killed and resumed"] += 1;
      if (plan.completes) counts["runs that had to complete"] += 1;
      if (uncertainUsage === 0) counts["runs whose usage equals what the server reported"] += 1;
      else counts["runs in which a reset or kill may have lost usage"] += 1;
    }
    counts["processes killed"] += kills;
    counts.requests += requests.length;
    counts["faults that the server caused"] += requests.filter(({ fault }) => fault !== undefined).length;
    counts["responses that broke off after they reported usage"] += requests.filter(
      ({ outcome, usage }) => outcome === "broken" && usage !== undefined,
    ).length;
    for (const { fault } of requests) if (fault !== undefined) this.#met.add(fault.kind);
  }

  /** @returns {Record<string, number>} */
  all() {
    return { ...this.#counts, "kinds of faults": this.#met.size };
  }
}

/**
 * @param {HostileCase} generated
 * @param {CaseOutcome} outcome
 * @returns {string}
 */
function describe({ kind, api, isStreamed }, { problems, ledger }) {
  const faults = ledger.requests.map(
    ({ turn, fault, outcome, oddities, usage }) =>
      `${turn}:${fault === undefined ? "ok" : JSON.stringify(fault)} ${oddities} ${outcome} ${usage?.inputTokens}/${usage?.outputTokens}`,
  );
  return `${kind}, ${api}, ${isStreamed ? "streamed" : "whole"}: ${problems.join("; ")} [${faults.join(" | ")}]`;
}
