// @ts-check
import { generatedCase } from "./generated-case.mjs";
import { runCase } from "./run-case.mjs";

/** @import { DeepFailure, DeepOptions, DeepResult, DeepSuite } from "../../deep-suite.mjs" */

/** @type {DeepSuite} */
export const gatewayAgentsSuite = {
  name: "gateway-agents",
  title:
    "Each test case of this suite runs the real command of a third-party agent (Claude Code, Codex, Copilot CLI, Gemini CLI or OpenCode) without a network, with its model calls redirected to a gateway, which forwards them to a simulated provider. The API key of the provider must not be in the files, variables or arguments of the agent, and the usage that the gateway measures must equal that of the provider. Half of the cases have a budget of model calls, after which the provider must get no further call. The other half are replayed without the provider, and must have the same transcript.",
  counts: { deep: 10, quick: 2 },
  run: runGatewayAgents,
};

/**
 * @param {DeepOptions} options
 * @returns {Promise<DeepResult>}
 */
async function runGatewayAgents({ seed, first, count, log }) {
  /** @type {DeepFailure[]} */
  const failures = [];
  const figures = { agents: 0, "replayed runs": 0, "runs that ended at their budget": 0, "model calls": 0 };
  /** @type {Set<string>} */
  const names = new Set();
  for (let index = first; index < first + count; index += 1) {
    const generated = generatedCase(seed, index);
    const outcome = await runCase(generated);
    if (typeof outcome === "string") return { cases: index - first, figures, failures, skipped: outcome };
    names.add(generated.setting.name);
    figures[generated.calls === undefined ? "replayed runs" : "runs that ended at their budget"] += 1;
    figures["model calls"] += outcome.calls;
    for (const problem of outcome.problems)
      failures.push({ case: index, problem: `${generated.setting.name}: ${problem}` });
    log(`case ${index}: ${generated.setting.name}, ${outcome.problems.length} problems`);
  }
  return { cases: count, figures: { ...figures, agents: names.size }, failures };
}
