// @ts-check
// One process, one attempt: `node worker.mjs ATTEMPT.json` starts or resumes the run and notes what it was promised.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { argv, env } from "node:process";
import { createAgentEngine, createAnthropicProfile, createOpenAiProfile } from "@switchyard/agent";
import { openEnvironment } from "@switchyard/environment";
import { resumeSession, startSession } from "@switchyard/runner";
import { LEDGER_VARIABLE, TASK } from "../scenario/script.mjs";
import { createScriptedModel } from "../scenario/scripted-model.mjs";
import { findVariant, openVariantStore } from "../variants/variants.mjs";
import { EXIT } from "./attempt.mjs";
import { createCrashPoints } from "./crash-points.mjs";
import { openOracle } from "./oracle.mjs";
import { countTool, crashingEnvironment, crashingHost, tracedEngine } from "./traced-session.mjs";
import { codeOf, tracedStore } from "./traced-store.mjs";

/** @import { Engine, SessionHandle } from "@switchyard/contracts" */
/** @import { StartSessionOptions } from "@switchyard/runner" */
/** @import { Attempt } from "./attempt.mjs" */
/** @import { CrashPoints } from "./crash-points.mjs" */
/** @import { Oracle } from "./oracle.mjs" */

/** @type {Attempt} */
const attempt = JSON.parse(readFileSync(argv[2] ?? "", "utf8"));
const oracle = openOracle(attempt.oracle);
const points = createCrashPoints(oracle, attempt.strike);
const opened = await openSession(attempt, oracle, points);
process.exitCode = opened === undefined ? EXIT.lockedOut : await follow(opened, oracle);
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
    const input = { messages: [{ role: /** @type {const} */ ("user"), content: TASK }] };
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
 * @returns {Promise<number>}
 */
async function follow(handle, oracle) {
  for await (const { seq, id } of handle.events()) {
    if (seq !== undefined) oracle.note({ at: "seen", seq, id });
  }
  const { status, error } = await handle.result;
  oracle.note({ at: "told", status, code: error?.code, problem: error?.message });
  return status === "completed" ? EXIT.done : EXIT.failed;
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
    engine: tracedEngine(createEngine(attempt, oracle, points), oracle),
    engineName: "agent",
    environment: crashingEnvironment(environment, points),
    stateDirectory: attempt.stateDirectory,
    store: tracedStore(await openVariantStore(attempt, points), oracle),
    middlewares: [crashingHost(points)],
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
  const client = createScriptedModel({
    onCall: () => points.pass("model call"),
    onAnswer: (responseId, usage) => {
      oracle.note({ at: "answered", responseId, usage });
      points.pass("model answer");
    },
  });
  const model = "scripted";
  const profile = createOpenAiProfile({ model });
  // The one family has apply_patch, the other edit_file; the script uses both.
  const editing = createAnthropicProfile({ model }).toolRegistry.get("edit_file");
  const careless = findVariant(variant).repeatsCalls === true ? profile.toolRegistry.get("shell") : undefined;
  const tools = [
    ...(editing === undefined ? [] : [editing]),
    ...(careless === undefined ? [] : [{ ...careless, effects: /** @type {const} */ ("idempotent") }]),
    countTool(ledger),
  ];
  return createAgentEngine({ client, profile, tools });
}
