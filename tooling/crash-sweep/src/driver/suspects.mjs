// @ts-check
import { SCENARIOS } from "../scenario/scenario.mjs";
import { modelOf, scenarioOf } from "../variants/variants.mjs";
import { nameCase } from "./case-name.mjs";
import { spread, stopsIn } from "./plan-cases.mjs";
import { runAll } from "./run-all.mjs";
import { runNamedCase } from "./run-named-case.mjs";

/** @import { ViolationKind } from "../history/history.mjs" */
/** @import { Harm } from "./case-name.mjs" */
/** @import { Extent } from "./plan-cases.mjs" */
/** @import { References } from "./reference-run.mjs" */

/**
 * A faulty variant, its harm, the boundaries, and the violated guarantees that reveal the fault.
 * @typedef {{ variant: string, harm: Harm, isAt: "stops" | ((label: string) => boolean),
 * shows: readonly ViolationKind[] }} Suspect
 */

/** @type {readonly Suspect[]} */
const SUSPECTS = [
  { variant: "skips-flush", harm: "kill", isAt: anywhere, shows: ["checkpoint_lost", "run_absent", "torn_read"] },
  { variant: "skips-folder-flush", harm: "kill", isAt: anywhere, shows: ["checkpoint_lost", "run_absent"] },
  { variant: "ignores-epochs", harm: "zombie", isAt: "stops", shows: ["stale_write"] },
  { variant: "acknowledges-early", harm: "kill", isAt: inTools, shows: ["checkpoint_lost"] },
  { variant: "publishes-early", harm: "kill", isAt: anywhere, shows: ["event_lost", "event_changed"] },
  { variant: "skips-saves", harm: "kill", isAt: inTools, shows: ["checkpoint_lost"] },
  { variant: "forgets-damage", harm: "damage", isAt: inTools, shows: ["torn_read", "checkpoint_lost"] },
  { variant: "repeats-calls", harm: "kill", isAt: behindCommands, shows: ["duplicate_effect"] },
  { variant: "forgets-children", harm: "kill", isAt: inChildren, shows: ["difference", "duplicate_effect"] },
  { variant: "repeats-calls-of-children", harm: "kill", isAt: behindChildren, shows: ["duplicate_effect"] },
  { variant: "spawns-twice", harm: "kill", isAt: inChildren, shows: ["difference", "duplicate_effect"] },
  { variant: "sends-twice", harm: "kill", isAt: afterMessage, shows: ["difference", "duplicate_effect"] },
  { variant: "asks-twice", harm: "kill", isAt: inQuestions, shows: ["question"] },
  { variant: "leaves-processes", harm: "kill", isAt: behindStarts, shows: ["process_left", "duplicate_effect"] },
];
/** Maximum number of cases before a fault counts as undetected. */
const CHANCES = 12;
/** Fraction of boundaries skipped at either end: before the first checkpoint, and after the last. */
const MARGIN = 0.05;

/**
 * Runs cases of each faulty variant until the fault is detected. An undetected fault is a defect of the sweep.
 * @param {References} references
 * @param {Extent} extent
 * @param {(line: string) => void} tell
 * @returns {Promise<{ found: number, missed: string[] }>}
 */
export async function findOutSuspects(references, { seed }, tell) {
  const results = await runAll(SUSPECTS, async (suspect) => {
    const reference = references[modelOf(suspect.variant)];
    const names = chancesFor(suspect, reference.labels);
    for (const [index, name] of names.entries()) {
      const { violations } = await runNamedCase(name, reference.final);
      const shown = violations.find(({ kind }) => suspect.shows.includes(kind));
      if (shown === undefined) continue;
      tell(`${suspect.variant} was found out by case ${index + 1}, ${name}: ${shown.promise} ${shown.detail}`);
      return [];
    }
    return [`${suspect.variant} was not found out in ${names.length} cases: ${names.join(" ")} (seed ${seed})`];
  });
  const missed = results.flat();
  return { found: SUSPECTS.length - missed.length, missed };
}

/**
 * @param {Suspect} suspect
 * @param {readonly string[]} labels
 * @returns {string[]}
 */
function chancesFor({ variant, harm, isAt }, labels) {
  const wanted =
    isAt === "stops" ? stopsIn(labels) : labels.flatMap((label, index) => (isAt(label) ? [index + 1] : []));
  const places = wanted.filter((at) => at > MARGIN * labels.length && at < (1 - MARGIN) * labels.length);
  const chosen = fromTheMiddle(spread(places, CHANCES));
  if (SCENARIOS[scenarioOf(variant)].hasFamily !== true) return chosen.map((at) => nameCase(variant, harm, { at }));
  return chosen.map((at) => nameCase(variant, harm, labelled(labels, at)));
}

/**
 * Returns items from the middle to both ends: in the middle of a run a fault shows itself most often.
 * @param {readonly number[]} items
 * @returns {number[]}
 */
function fromTheMiddle(items) {
  const middle = (items.length - 1) / 2;
  const distances = items.map((item, index) => ({ item, distance: Math.abs(index - middle) }));
  return distances.sort((one, other) => one.distance - other.distance).map(({ item }) => item);
}

/**
 * Returns a boundary as label and index among those with that label.
 * @param {readonly string[]} labels
 * @param {number} at
 * @returns {{ at: number, label: string }}
 */
function labelled(labels, at) {
  const label = labels[at - 1] ?? "";
  return { at: labels.slice(0, at).filter((other) => other === label).length, label };
}

/** @returns {boolean} */
function anywhere() {
  return true;
}

/**
 * @param {string} label
 * @returns {boolean}
 */
function inTools(label) {
  return /^(before|after) (shell|write) /.test(label);
}

/**
 * @param {string} label
 * @returns {boolean}
 */
function behindCommands(label) {
  return label.startsWith("after shell");
}

/**
 * Returns whether a boundary is in the first rounds of subagents, while their parent is still in its own round.
 * @param {string} label
 * @returns {boolean}
 */
function inChildren(label) {
  return /^(before|after) shell : effect op-(2[12]|31)/.test(label);
}

/**
 * @param {string} label
 * @returns {boolean}
 */
function behindChildren(label) {
  return /^after shell : effect op-[234]/.test(label);
}

/**
 * @param {string} label
 * @returns {boolean}
 */
function afterMessage(label) {
  return /^(before|after) shell : effect op-26/.test(label);
}

/**
 * @param {string} label
 * @returns {boolean}
 */
function inQuestions(label) {
  return label === "question asked" || label === "question pending";
}

/**
 * @param {string} label
 * @returns {boolean}
 */
function behindStarts(label) {
  return label.startsWith("after spawn");
}
