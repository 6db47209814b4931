// @ts-check
import { checkAccepted, checkCheckpoints } from "./check-durability.mjs";
import { checkAmbiguity, checkEffects, checkLeftProcesses } from "./check-effects.mjs";
import { checkEnding } from "./check-ending.mjs";
import { checkEvents } from "./check-events.mjs";
import { checkQuestions } from "./check-questions.mjs";
import { checkResult, checkUsage } from "./check-result.mjs";
import { checkWriters } from "./check-writers.mjs";

/** @import { History, Violation } from "./history.mjs" */

/**
 * Returns every violated guarantee in a history.
 * @param {History} history
 * @returns {Violation[]}
 */
export function checkHistory(history) {
  return [
    checkAccepted,
    checkCheckpoints,
    checkEffects,
    checkLeftProcesses,
    checkAmbiguity,
    checkWriters,
    checkEnding,
    checkEvents,
    checkQuestions,
    checkResult,
    checkUsage,
  ].flatMap((check) => check(history));
}
