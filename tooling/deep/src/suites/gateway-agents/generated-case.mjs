// @ts-check
import { seededCase } from "@switchyard/suite/seeded-random";
import { AGENTS } from "./agents.mjs";

/** @import { ModelStep } from "@switchyard/real-agents/model-server" */
/** @import { AgentSetting } from "./agents.mjs" */

/** Texts that are written in different ways in JSON, in shells and in streams. */
const TEXTS = ["Done.", "Größe: 3 µm", "完成 ✅", 'She said "yes"', "a\nb", "</tool> {}", "\\u0041 \\n"];

/**
 * A case: an agent, and what its model responds.
 * @typedef {object} GatewayAgentCase
 * @property {AgentSetting} setting
 * @property {Readonly<Record<string, readonly ModelStep[]>>} script
 * @property {string} prompt
 * @property {string} finalText Last text of the model.
 * @property {number | undefined} calls Budget of model calls, too small for the run. `undefined`: no budget, and the
 * run is recorded and replayed.
 */

/**
 * Returns a case. The cases of one round have all agents; every second round has budgets.
 * @param {number} seed
 * @param {number} index
 * @returns {GatewayAgentCase}
 */
export function generatedCase(seed, index) {
  const random = seededCase(seed, index);
  const setting = AGENTS[index % AGENTS.length];
  if (setting === undefined) throw new Error("There are no agents.");
  const pick = () => TEXTS[Math.floor(random() * TEXTS.length)] ?? "";
  const usage = () => {
    const input = 1 + Math.floor(random() * 5000);
    return { input, output: 1 + Math.floor(random() * 500), cached: Math.floor(random() * input) };
  };
  const rounds = 1 + Math.floor(random() * 3);
  const steps = Array.from({ length: rounds }, (_, round) => {
    const call = setting.call(`printf 'round ${round}' > made-${round}.txt && cat made-${round}.txt`);
    return { text: `${round}: ${pick()}`, calls: [call], usage: usage() };
  });
  const finalText = pick();
  const hasBudget = Math.floor(index / AGENTS.length) % 2 === 1;
  return {
    ...{ setting, finalText, prompt: "CASE:work Do it." },
    script: { work: [...steps, { text: finalText, usage: usage() }] },
    calls: hasBudget ? 1 + Math.floor(random() * rounds) : undefined,
  };
}
