// @ts-check
import { FAMILY } from "./family.mjs";
import { STEPS } from "./steps.mjs";

/** @import { ScriptedCall } from "./scripted-call.mjs" */

/**
 * An agent's reaction to a message: rounds of calls, then its final text.
 * @typedef {{ rounds: readonly (readonly ScriptedCall[])[], lastWords: string }} Part
 */

/**
 * A session as data: initial files, the user's task, and each agent's behaviour by the message that it receives.
 * @typedef {object} Scenario
 * @property {string} task The user's message.
 * @property {Readonly<Record<string, string>>} workspace The files before the run.
 * @property {Readonly<Record<string, Part>>} parts Behaviour of an agent, by the message that it receives.
 * @property {boolean} [hasFamily] Whether there are subagents and questions to the user.
 */

/** @typedef {"steps" | "family"} ScenarioName */

/** @type {Readonly<Record<ScenarioName, Scenario>>} */
export const SCENARIOS = { steps: STEPS, family: FAMILY };

/**
 * Returns the user's answer to a question.
 * @param {string} question
 * @returns {string}
 */
export function answerTo(question) {
  return `This is my answer to: ${question}`;
}
