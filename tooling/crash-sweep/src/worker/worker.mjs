// @ts-check
// One process, one attempt: `node worker.mjs ATTEMPT.json` starts or resumes the run and notes what it was promised.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { argv, env } from "node:process";
import { createAgentEngine, createAnthropicProfile, createOpenAiProfile } from "@switchyard/agent";
import { openEnvironment } from "@switchyard/environment";
import { resumeSession, startSession } from "@switchyard/runner";
import { answerTo, SCENARIOS } from "../scenario/scenario.mjs";
import { LEDGER_VARIABLE } from "../scenario/scripted-call.mjs";
import { createScriptedModel } from "../scenario/scripted-model.mjs";
import { findVariant, openVariantStore, scenarioOf } from "../variants/variants.mjs";
import { withFreshIds, withTamperedCheckpoints } from "../variants/wrong-agents.mjs";
import { EXIT } from "./attempt.mjs";
import { createCrashPoints } from "./crash-points.mjs";
import { openOracle } from "./oracle.mjs";
import { countTool, crashingEnvironment, crashingHost, tracedEngine } from "./traced-session.mjs";
import { codeOf, tracedStore } from "./traced-store.mjs";

/** @import { Engine, Envelope, RegisteredTool, SessionHandle } from "@switchyard/contracts" */
/** @import { ProviderProfile } from "@switchyard/agent" */
/** @import { StartSessionOptions } from "@switchyard/runner" */
/** @import { Attempt } from "./attempt.mjs" */
/** @import { CrashPoints } from "./crash-points.mjs" */
/** @import { Oracle } from "./oracle.mjs" */

/** How long the user thinks about a question: others go on meanwhile. */
const THINKING_MS = 20;

/** @type {Attempt} */
const attempt = JSON.parse(readFileSync(argv[2] ?? "", "utf8"));
const oracle = openOracle(attempt.oracle);
const points = createCrashPoints(oracle, attempt.strike);
const opened = await openSession(attempt, oracle, points);
process.exitCode = opened === undefined ? EXIT.lockedOut : await follow(opened, oracle, points);
if (attempt.labels !== undefined) writeFileSync(attempt.labels, JSON.stringify(points.labels));

/**
 * Nothing when somebody else has the run, or it is over.
 * @param {Attempt} attempt
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Promise<SessionHandle | undefined>}
 */
async function openSession(attempt, oracle, points) {
  const options = await sessionOptions(attempt, oracle, points);
  if (attempt.barrier !== undefined) waitFor(attempt.barrier, oracle);
  try {
    if (attempt.resumes)
      return await resumeSession(attempt.runId, { ...options, takeOver: attempt.takesOver, reason: "crash" });
    const input = {
      messages: [{ role: /** @type {const} */ ("user"), content: SCENARIOS[scenarioOf(attempt.variant)].task }],
    };
    const handle = await startSession(input, { ...options, runId: attempt.runId });
    oracle.note({ at: "accepted", runId: handle.runId });
    return handle;
  } catch (error) {
    oracle.note({ at: "locked_out", code: codeOf(error) });
    return undefined;
  }
}

/**
 * Waits without giving the processor away, so that two processes go on at the same moment.
 * @param {string} barrier
 * @param {Oracle} oracle
 * @returns {void}
 */
function waitFor(barrier, oracle) {
  oracle.note({ at: "ready" });
  while (!existsSync(barrier));
}

/**
 * @param {SessionHandle} handle
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Promise<number>}
 */
async function follow(handle, oracle, points) {
  for await (const event of handle.events()) {
    const { seq, id } = event;
    if (seq === undefined) continue;
    oracle.note({ at: "seen", seq, id });
    if (event.type === "user_prompted" && seq > handle.startSeq) answer(event, { handle, oracle, points });
  }
  const { status, error } = await handle.result;
  oracle.note({ at: "told", status, code: error?.code, problem: error?.message });
  return status === "completed" ? EXIT.done : EXIT.failed;
}

/**
 * Answers a question after a while, as a person would.
 * @param {Extract<Envelope, { type: "user_prompted" }>} event
 * @param {{ handle: SessionHandle, oracle: Oracle, points: CrashPoints }} session
 * @returns {void}
 */
function answer({ payload: { prompt_id: promptId, parts } }, { handle, oracle, points }) {
  oracle.note({ at: "asked", promptId });
  points.pass("question asked");
  const question = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  setTimeout(() => {
    points.pass("question pending");
    handle.answer(promptId, { parts: [{ type: "text", text: answerTo(question) }] });
    points.pass("question answered");
  }, THINKING_MS);
}

/**
 * @param {Attempt} attempt
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Promise<StartSessionOptions>}
 */
async function sessionOptions(attempt, oracle, points) {
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
 * The tools that are not as the profile has them.
 * @param {string} variant
 * @param {ProviderProfile} profile
 * @returns {RegisteredTool[]}
 */
function toolsOf(variant, profile) {
  const { repeatsCalls, freshIds } = findVariant(variant);
  // The one family has apply_patch, the other edit_file; the script uses both.
  const editing = createAnthropicProfile({ model: "scripted" }).toolRegistry.get("edit_file");
  const careless = repeatsCalls === true ? profile.toolRegistry.get("shell") : undefined;
  const renaming = profile.toolRegistry.tools().filter(({ definition: { name } }) => name === freshIds);
  return [
    ...(editing === undefined ? [] : [editing]),
    ...(careless === undefined ? [] : [{ ...careless, effects: /** @type {const} */ ("idempotent") }]),
    ...renaming.map(withFreshIds),
  ];
}
