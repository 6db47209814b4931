import { readFile } from "node:fs/promises";
import { type Engine, EngineError, messageOf } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import { AGENT_ENGINE } from "../agent/create-default-registry.ts";
import type { AgentEngineConfig } from "../agent/open-agent-engine.ts";
import { openConfiguredEngine } from "../engine-config/open-configured-engine.ts";
import { parseEngineFile } from "../engine-config/parse-engine-file.ts";
import type { RunOptions } from "./run-options.ts";

/** Engine of a run, ready to start a session. */
export interface OpenedRunEngine {
  /** The engine, or an engine name to resolve in the `registry` option. */
  readonly engine: string | Engine;
  /** Name of the engine in records and results. `undefined`: the default of `startSession`. */
  readonly engineName?: string | undefined;
  /** Model reference that the engine uses by default. `undefined` if the engine does not report one. */
  readonly model?: string | undefined;
  /** API keys of the engine, to be masked. */
  readonly secrets: readonly Secret[];
  /** Settings that have no effect on this engine, one sentence each. */
  readonly warnings: readonly string[];
  /** Closes resources that were opened for the engine. */
  close(): Promise<void>;
}

/**
 * Opens the engine that the options of a run name. Rejects with `engine.not_found`, `input.unreadable`, `config.*`,
 * `credentials.*` or `model.*`.
 */
export async function openRunEngine(options: RunOptions): Promise<OpenedRunEngine> {
  const { engine = AGENT_ENGINE, registry, engineName } = options;
  if (typeof engine !== "string") return { ...NOTHING_OPENED, engine, engineName };
  if (/[\\/]|\.(?:ya?ml|json)$/iu.test(engine)) return openEngineFile(engine, options);
  if (registry !== undefined) return { ...NOTHING_OPENED, engine, engineName };
  if (engine !== AGENT_ENGINE) throw new EngineError("engine.not_found", { engine, known: [AGENT_ENGINE] });
  const { openAgentEngine } = await import("../agent/open-agent-engine.ts");
  const opened = await openAgentEngine({ ...agentConfig(options), env: options.env }).catch((error: unknown) => {
    throw options.env === undefined ? withoutVariables(error) : error;
  });
  const { model, secrets } = opened;
  return {
    ...{ engine: opened, engineName: engineName ?? AGENT_ENGINE, model, secrets, warnings: [] },
    close: () => closeEngine(opened),
  };
}

const NOTHING_OPENED = { secrets: [], warnings: [], close: async (): Promise<void> => undefined };

/** Enables compaction of long conversations by default, because no user watches the run. */
function agentConfig({ agent, model, maxTurns }: RunOptions): Omit<AgentEngineConfig, "env"> {
  return { compaction: "summary", ...agent, model, maxTurns };
}

/**
 * If no environment variables were passed, the error names the option `env`: setting a process variable would not help.
 */
function withoutVariables(error: unknown): unknown {
  if (!EngineError.is(error, "model.not_configured") && !EngineError.is(error, "model.missing_key")) return error;
  const problem = "no API key was found. Pass `env: process.env`, or `model` and `agent: { apiKey }`";
  return new EngineError("config.invalid", { field: "env", problem }, { cause: error });
}

async function openEngineFile(path: string, options: RunOptions): Promise<OpenedRunEngine> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new EngineError("input.unreadable", { path, problem: messageOf(cause) }, { cause });
  });
  const { engineSettingsOf } = await import("@switchyard/custom-engine");
  const { document, warning } = engineSettingsOf(await parseEngineFile(text, path));
  const { env = {}, engineName, agent } = options;
  const opened = await openConfiguredEngine(document, {
    ...{ env, name: engineName, apiKey: agent?.apiKey, agent: agentConfig(options) },
  });
  const { engine, name, model } = opened;
  const apiKey = agent?.apiKey;
  // Even if the engine itself gets no key, the gateway sends this key to the provider, which may return it in an error.
  const secrets = apiKey === undefined ? [] : [typeof apiKey === "string" ? secret(apiKey) : apiKey];
  const warnings = [...(warning === undefined ? [] : [`${path}: ${warning}`]), ...opened.warnings];
  return { engine, engineName: name, model, secrets, warnings, close: () => closeEngine(engine) };
}

/** Only the built-in agent is closed, because it holds connections to providers. Custom engines hold no resources. */
async function closeEngine(engine: Engine & Partial<AsyncDisposable>): Promise<void> {
  await engine[Symbol.asyncDispose]?.();
}
