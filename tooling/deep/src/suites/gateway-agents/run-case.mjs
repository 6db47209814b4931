// @ts-check
import { parseModelCalls } from "@switchyard/gateway";
import { runAgent } from "./run-agent.mjs";

/** @import { GatewayRunOptions } from "@switchyard/gateway" */
/** @import { GatewayAgentCase } from "./generated-case.mjs" */
/** @import { GatewayAgentRun } from "./run-agent.mjs" */

/** API key of the model's provider, which the agent must not receive. */
const API_KEY = "canary-key-0123456789abcdef";
/** Matches the folder of an agent in a test. */
const FOLDER = /switchyard-real-[a-z-]+?-[A-Za-z0-9]{6}(?![A-Za-z0-9])/gu;

/**
 * Faults of which the suite must detect each.
 * @typedef {object} Faults
 * @property {boolean} [passesKey] The agent also receives the API key, in another variable.
 * @property {boolean} [ignoresBudget] The gateway does not get the budget.
 */

/** @param {string} text */
function normalise(text) {
  return text.replace(FOLDER, "switchyard-real");
}

/**
 * Runs a case. Resolves with the problems that were found and the number of model calls. Resolves with a reason if the
 * agent cannot run on this machine.
 * @param {GatewayAgentCase} generated
 * @param {Faults} [faults]
 * @returns {Promise<{ problems: string[], calls: number } | string>}
 */
export async function runCase(generated, faults = {}) {
  const { calls } = generated;
  const budget = calls === undefined || faults.ignoresBudget === true ? undefined : { calls };
  const first = await runOnce(generated, { budget }, faults);
  if (typeof first === "string") return first;
  const problems = [...problemsOfKeys(first), ...problemsOfUsage(first)];
  if (calls !== undefined) {
    if (first.ledger.calls !== calls)
      problems.push(`the model got ${first.ledger.calls} calls with a budget of ${calls}`);
    if (first.error === undefined) problems.push("the run ended without an error, although its budget was used up");
    return { problems, calls: first.ledger.calls };
  }
  if (first.error !== undefined) return { problems: [...problems, first.error.message], calls: first.ledger.calls };
  if (first.result?.final_message !== generated.finalText) {
    problems.push(`the final text was ${JSON.stringify(first.result?.final_message)}`);
  }
  const recording = parseModelCalls(first.recording.join("\n"));
  const second = await runOnce(generated, { replay: { recording, normalise } }, faults);
  if (typeof second === "string") return second;
  return { problems: [...problems, ...problemsOfReplay(first, second)], calls: first.ledger.calls };
}

/**
 * @param {GatewayAgentCase} generated
 * @param {Pick<GatewayRunOptions, "budget" | "replay">} access
 * @param {Faults} faults
 */
function runOnce({ setting, script, prompt }, access, { passesKey }) {
  const leaked = passesKey === true ? { KEY_OF_TEAM: API_KEY } : {};
  return runAgent({ setting, script, prompt, access, leaked, apiKey: API_KEY });
}

/**
 * @param {GatewayAgentRun} run
 * @returns {string[]}
 */
function problemsOfKeys({ keys, keyPlaces, tokenPlaces }) {
  return [
    ...keyPlaces.map((place) => `the API key was found in ${place}`),
    ...(keys.some((key) => key !== API_KEY) ? ["the model got another API key"] : []),
    // Without this result, the search would prove nothing.
    ...(tokenPlaces.includes("variables") ? [] : ["the token was not found in the variables of the agent"]),
    ...(tokenPlaces.includes("arguments") ? ["the token was found in the arguments of the agent"] : []),
  ];
}

/**
 * @param {GatewayAgentRun} run
 * @returns {string[]}
 */
function problemsOfUsage({ used: { calls, usage }, ledger }) {
  const counted = { calls, input: usage.inputTokens, output: usage.outputTokens, cached: usage.cacheReadTokens ?? 0 };
  const [left, right] = [JSON.stringify(counted), JSON.stringify(ledger)];
  return left === right ? [] : [`the gateway counted ${left}, and the model ${right}`];
}

/**
 * @param {GatewayAgentRun} first
 * @param {GatewayAgentRun} second
 * @returns {string[]}
 */
function problemsOfReplay(first, second) {
  const problems = [];
  if (second.error !== undefined) problems.push(`replay: ${second.error.message}`);
  if (second.difference !== undefined) problems.push(`replay: ${second.difference.message}`);
  if (second.ledger.calls > 0) problems.push("replay: the model was called");
  const [before, after] = [transcriptOf(first), transcriptOf(second)];
  if (before !== after) problems.push(`replay: the transcript is ${after} in place of ${before}`);
  return problems;
}

/**
 * Returns the transcript without times, and without ids that an agent derives from the time.
 * @param {GatewayAgentRun} run
 */
function transcriptOf({ result }) {
  const text = JSON.stringify(result?.transcript ?? [], (key, value) => {
    return key === "timestamp" || key === "duration_ms" ? undefined : value;
  });
  return normalise(text).replace(/_\d{13}_\d+/gu, "_<time>");
}
