// @ts-check
import { parseCase } from "./case-name.mjs";
import { runCase } from "./run-case.mjs";
import { runDamage } from "./run-damage.mjs";
import { runDuel, runZombie } from "./run-rivals.mjs";

/** @import { FinalState } from "../history/history.mjs" */
/** @import { Outcome } from "./run-case.mjs" */

/**
 * Runs the case with a name.
 * @param {string} name
 * @param {FinalState} reference
 * @returns {Promise<Outcome>}
 */
export async function runNamedCase(name, reference) {
  const { harm, given } = parseCase(name, reference);
  if (harm === "damage") return runDamage(given);
  if (harm === "duel") return runDuel(given);
  if (harm === "zombie" || harm === "zombie-lease") return runZombie(given);
  return runCase(given);
}
