// @ts-check
import { FAMILY } from "./family.mjs";
import { STEPS } from "./steps.mjs";

/** @import { ScriptedCall } from "./scripted-call.mjs" */

/**
 * What an agent does when it is told something: rounds of calls, then its last words.
 * @typedef {{ rounds: readonly (readonly ScriptedCall[])[], lastWords: string }} Part
 */

/**
 * A session as data: the files it begins with, what the user asks for, and what each agent does, by what it is told.
 * @typedef {object} Scenario
 * @property {string} task What the user asks for.
 * @property {Readonly<Record<string, string>>} workspace The files before the run.
 * @property {Readonly<Record<string, Part>>} parts What is done when somebody says this.
 * @property {boolean} [hasFamily] Whether there are subagents and questions to the user.
 */

/** @typedef {"steps" | "family"} ScenarioName */

/** @type {Readonly<Record<ScenarioName, Scenario>>} */
export const SCENARIOS = { steps: STEPS, family: FAMILY };

/**
 * What the user answers to a question.
 * @param {string} question
 * @returns {string}
 */
export function answerTo(question) {
  return `This is my answer to: ${question}`;
}
