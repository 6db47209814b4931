// @ts-check
import { env } from "node:process";
import { createAgentEngine, createAnthropicProfile, createOpenAiProfile } from "@switchyard/agent";
import { openEnvironment } from "@switchyard/environment";
import { SCENARIOS } from "../scenario/scenario.mjs";
import { LEDGER_VARIABLE } from "../scenario/scripted-call.mjs";
import { createScriptedModel } from "../scenario/scripted-model.mjs";
import { findVariant, openVariantStore, scenarioOf } from "../variants/variants.mjs";
import { withFreshIds, withTamperedCheckpoints } from "../variants/wrong-agents.mjs";
import { countTool, crashingEnvironment, crashingHost, tracedEngine } from "./traced-session.mjs";
import { tracedStore } from "./traced-store.mjs";

/** @import { Engine, ExecutionEnvironment, RegisteredTool, RunStore } from "@switchyard/contracts" */
/** @import { ProviderProfile } from "@switchyard/agent" */
/** @import { StartSessionOptions } from "@switchyard/runner" */
/** @import { Attempt } from "./attempt.mjs" */
/** @import { CrashPoints } from "./crash-points.mjs" */
/** @import { Oracle } from "./oracle.mjs" */

/**
 * Returns the session options of an attempt, with boundaries wherever its process may be killed.
 * @param {Attempt} attempt
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Promise<StartSessionOptions & { store: RunStore, engine: Engine, environment: ExecutionEnvironment }>}
 */
export async function sessionOptions(attempt, oracle, points) {
  const environment = await openEnvironment({
    type: "local",
    root: attempt.workspace,
    env,
    environmentVariables: { policy: "core", set: { [LEDGER_VARIABLE]: attempt.ledger } },
  });
  return {
    engine: tracedEngine(createEngine(attempt, oracle, points), oracle, attempt.ledger),
    engineName: "agent",
    environment: crashingEnvironment(findVariant(attempt.variant).environment?.(environment) ?? environment, points),
    isAnswerable: true,
    stateDirectory: attempt.stateDirectory,
    store: tracedStore(await openVariantStore(attempt, points), oracle),
    middlewares: [crashingHost(points), ...(findVariant(attempt.variant).middlewares ?? [])],
    workspaceDiff: false,
    createdBy: "crash-sweep",
  };
}

/**
 * @param {Attempt} attempt
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Engine}
 */
function createEngine({ ledger, variant }, oracle, points) {
  const { hasFamily = false } = SCENARIOS[scenarioOf(variant)];
  const client = createScriptedModel(SCENARIOS[scenarioOf(variant)], {
    onCall: () => points.pass("model call"),
    onAnswer: (responseId, usage) => {
      oracle.note({ at: "answered", responseId, usage });
      points.pass("model answer");
    },
  });
  const profile = createOpenAiProfile({ model: "scripted" });
  const engine = createAgentEngine({
    client,
    profile,
    tools: [...toolsOf(variant, profile), countTool(ledger)],
    askUser: hasFamily,
    config: hasFamily ? { maxSubagentDepth: 2 } : {},
  });
  const { tampers } = findVariant(variant);
  return tampers === undefined ? engine : withTamperedCheckpoints(engine, tampers);
}

/**
 * Returns the tools that differ from the profile.
 * @param {string} variant
 * @param {ProviderProfile} profile
 * @returns {RegisteredTool[]}
 */
function toolsOf(variant, profile) {
  const { repeatsCalls, freshIds } = findVariant(variant);
  // One profile has apply_patch, the other edit_file; the script uses both.
  const editing = createAnthropicProfile({ model: "scripted" }).toolRegistry.get("edit_file");
  const careless = repeatsCalls === true ? profile.toolRegistry.get("shell") : undefined;
  const renaming = profile.toolRegistry.tools().filter(({ definition: { name } }) => name === freshIds);
  return [
    ...(editing === undefined ? [] : [editing]),
    ...(careless === undefined ? [] : [{ ...careless, effects: /** @type {const} */ ("idempotent") }]),
    ...renaming.map(withFreshIds),
  ];
}
