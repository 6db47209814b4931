import { expect, test } from "vitest";
import { AGENTS } from "../src/suites/gateway-agents/agents.mjs";
import { gatewayAgentsSuite } from "../src/suites/gateway-agents/gateway-agents.mjs";
import { generatedCase } from "../src/suites/gateway-agents/generated-case.mjs";
import { runCase } from "../src/suites/gateway-agents/run-case.mjs";

const PATIENCE_MS = 600_000;
/** Cases in which Codex, the agent that starts fastest, runs without and with a budget. */
const [CODEX, CODEX_WITH_BUDGET] = [1, 1 + AGENTS.length];

test("real agents behind a gateway get no API key, are measured to the token, and are replayed without a model", {
  timeout: PATIENCE_MS,
}, async ({ skip }) => {
  const { quick: count } = gatewayAgentsSuite.counts;
  const result = await gatewayAgentsSuite.run({ seed: 1, first: 0, count, log: () => undefined });
  skip(result.skipped !== undefined, result.skipped);
  console.log(result.figures);
  expect(result.failures).toEqual([]);
  expect(result).toMatchObject({ cases: count, figures: { agents: count, "replayed runs": count } });
});

test("the suite detects an agent that gets the API key, and a gateway that ignores the budget", {
  timeout: PATIENCE_MS,
}, async ({ skip }) => {
  const outcome = await runCase(generatedCase(1, CODEX_WITH_BUDGET), { passesKey: true, ignoresBudget: true });
  if (typeof outcome === "string") return skip(outcome);
  expect(generatedCase(1, CODEX).setting.name).toBe("codex");
  expect(outcome.problems).toEqual(
    expect.arrayContaining([
      expect.stringContaining("the API key was found in variables"),
      expect.stringMatching(/the model got \d+ calls with a budget of \d+/u),
    ]),
  );
});
