// @ts-check
import { createAdapterEngine } from "@switchyard/adapter-kit";
import { DEPENDENCY, SESSION_INPUT, SESSION_RESULT, toEngineError } from "@switchyard/contracts";
import { createBoard, createDependencies } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { createModelGateway } from "@switchyard/gateway";
import { MODEL_URL } from "@switchyard/real-agents";
import { openRelayedAgent } from "@switchyard/real-agents/relayed";
import { secret } from "@switchyard/secrets";
import { recordingHost } from "@switchyard/testkit";

/** @import { EngineError, SessionResult } from "@switchyard/contracts" */
/** @import { GatewayRunOptions, GatewayUsage, ModelGatewayEvent } from "@switchyard/gateway" */
/** @import { ModelLedger } from "@switchyard/real-agents/relayed" */
/** @import { ModelStep } from "@switchyard/real-agents/model-server" */
/** @import { AgentSetting } from "./agents.mjs" */

/** Generous, for a busy machine. */
const STARTUP_MS = 150_000;

/**
 * Outcome of a run of a real agent behind a gateway.
 * @typedef {object} GatewayAgentRun
 * @property {SessionResult | undefined} result
 * @property {EngineError | undefined} error
 * @property {GatewayUsage} used What the gateway has counted.
 * @property {ModelLedger} ledger What the model has counted.
 * @property {readonly string[]} keys API keys that the model has received.
 * @property {readonly string[]} keyPlaces Places in which the agent could find the API key.
 * @property {readonly string[]} tokenPlaces Places in which the agent could find the token of the run.
 * @property {readonly ModelGatewayEvent[]} events
 * @property {readonly string[]} recording
 * @property {EngineError | undefined} difference First difference between the requests of a replay and the recording.
 */

/**
 * @typedef {object} GatewayAgentOptions
 * @property {AgentSetting} setting
 * @property {Readonly<Record<string, readonly ModelStep[]>>} script
 * @property {string} prompt
 * @property {string} apiKey API key of the model's provider, which the agent must not receive.
 * @property {Pick<GatewayRunOptions, "budget" | "replay">} [access] Options of the gateway's run. With `replay`, the
 * model is switched off.
 * @property {Readonly<Record<string, string>>} [leaked] Variables that a faulty adapter also passes to the agent.
 */

/**
 * Runs a real agent as an engine, whose model calls go through a gateway to a scripted model. Resolves with the reason
 * if the agent cannot run on this machine.
 * @param {GatewayAgentOptions} options
 * @returns {Promise<GatewayAgentRun | string>}
 */
export async function runAgent({ setting, script, prompt, apiKey, access = {}, leaked = {} }) {
  const { name, kind, words, block, keyVariable, files } = setting;
  const agent = await openRelayedAgent(name, { script, files });
  if (typeof agent === "string") return agent;
  if (access.replay !== undefined) agent.stopModel();
  const given = { ...setting.variables, ...leaked, [keyVariable]: apiKey };
  const env = { ...process.env, ...agent.env, ...given };
  const environment = await openLocalEnvironment({ root: agent.workspace, env });
  const provider = { apiKey: secret(apiKey), baseUrl: `${agent.modelUrl}/v1` };
  const gateway = createModelGateway({
    upstreams: { anthropic: provider, openai: provider, gemini: { ...provider, baseUrl: `${agent.modelUrl}/v1beta` } },
  });
  try {
    /** @type {[string[], ModelGatewayEvent[]]} */
    const [recording, events] = [[], []];
    const run = await gateway.openRun({
      ...{ runId: "run-1", socketPath: agent.socketPath, record: { write: (line) => recording.push(line) } },
      ...{ onEvent: (event) => events.push(event), ...access },
    });
    const names = ["HOME", "TMPDIR", ...Object.keys({ ...setting.variables, ...leaked })];
    const passed = Object.entries({ ...agent.env, ...given }).map(([key, value]) => [key, secret(value)]);
    const adapter = kind.create(
      { ...block, command: [...agent.command, ...words], env: names, startup_timeout_ms: STARTUP_MS },
      { variables: Object.fromEntries(passed) },
    );
    const engine = createAdapterEngine(adapter, {
      openModelAccess: async () => ({ baseUrl: MODEL_URL, token: run.token, close: () => run.close() }),
    });
    const board = createBoard();
    board.set(SESSION_INPUT, { messages: [{ role: "user", content: prompt }] });
    const deps = createDependencies();
    deps.set(DEPENDENCY.environment, environment);
    const job = { id: "run-1", attributes: {}, deps, signal: new AbortController().signal };
    const error = await engine.execute(job, recordingHost(), board).then(() => undefined, toEngineError);
    return {
      ...{ error, result: board.get(SESSION_RESULT), used: run.used(), ledger: agent.ledger(), keys: agent.keys() },
      ...{ keyPlaces: await agent.placesOf(apiKey), tokenPlaces: await agent.placesOf(run.token.reveal()) },
      ...{ events, recording, difference: differenceOf(run) },
    };
  } finally {
    await gateway.close();
    await environment[Symbol.asyncDispose]();
    await agent.dispose();
  }
}

/**
 * @param {{ assertReplayed(): void }} run
 * @returns {EngineError | undefined}
 */
function differenceOf(run) {
  try {
    run.assertReplayed();
    return undefined;
  } catch (error) {
    return toEngineError(error);
  }
}
