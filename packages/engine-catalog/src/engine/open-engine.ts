import { type Engine, EngineError } from "@switchyard/contracts";
import { createEngineRegistry } from "@switchyard/engine";
import type { AgentEngine, AgentEngineConfig } from "@switchyard/runner";
import { AGENT_ENGINE, openAgentEngine, secretsFromEnv } from "@switchyard/runner";
import { type Secret, secret } from "@switchyard/secrets";
import {
  openMcpLogins,
  type PermissionMode,
  PLAN_INSTRUCTIONS,
  RUNTIME_PREFIX,
  settingsFolder,
} from "@switchyard/settings";
import { credentialsFile } from "./credentials-file.ts";
import type { EngineHost } from "./engine-host.ts";
import type { EngineRequest } from "./engine-request.ts";
import type { OpenedEngine } from "./opened-engine.ts";
import { unknownEngine } from "./unknown-engine.ts";
import { warnOfFallbackModels, warnOfServers } from "./warn-of-unused.ts";
import { webSearchOf } from "./web-search.ts";

/**
 * Placeholder API key for a custom server if the user configured no key. The agent requires a key even if the server
 * does not.
 */
const NO_KEY = "no-key-was-set";

/**
 * Creates an engine by its name. Rejects with `engine.not_found`, `model.*` and `config.invalid` before any request is
 * sent to a provider.
 */
export async function openEngine(host: EngineHost, choice: EngineRequest): Promise<OpenedEngine> {
  const opened = await openNamed(host, choice);
  if (choice.allowedModels === undefined || opened.modelAccess === "gateway") return opened;
  const problem = `the engine ${opened.engineName} does not call models through the model gateway, which enforces the list`;
  throw new EngineError("config.invalid", { field: "allowedModels", problem });
}

async function openNamed(host: EngineHost, choice: EngineRequest): Promise<OpenedEngine> {
  const { engine: name, model, apiKey, baseUrl, reasoningEffort, web, toolNames } = choice;
  const { fallbackModels, skills, mcpServers, mcpPool, mcpStartWaitMs, approval, askUser } = choice;
  const instructions = choice.mode === "plan" ? PLAN_INSTRUCTIONS : undefined;
  const agentConfig = {
    ...{ model, fallbackModels, baseUrl, reasoningEffort, web, profile: { toolNames }, skills },
    ...{ mcpServers, mcpPool, mcpStartWaitMs, approval, askUser, instructions },
    // The user cannot request compaction during a run, so long conversations are summarised automatically.
    compaction: "summary" as const,
    webSearch: webSearchOf(host, choice.webSearch),
    mcpLogins: mcpServers === undefined ? undefined : openMcpLogins(host),
  };
  if (choice.allowGitPush === true && !name.startsWith(RUNTIME_PREFIX)) {
    const problem = `only the command of a runtime package (${RUNTIME_PREFIX}ID) can be allowed to use git push`;
    throw new EngineError("config.invalid", { field: "allowGitPush", problem });
  }
  if (choice.engineDocument !== undefined) {
    const found = await openAdapterFile(host, choice);
    if (found !== undefined) return found;
  }
  if (choice.engineDocument !== undefined) return openConfigured(host, choice, { ...agentConfig, apiKey });
  if (name.startsWith(RUNTIME_PREFIX)) return openPackaged(host, choice);
  let access: Pick<OpenedEngine, "modelAccess" | "directCause"> = {};
  const adapters = await adapterEntries(host, choice, (found) => {
    access = found;
  });
  await assertKnown(host, choice, [AGENT_ENGINE, ...Object.keys(adapters)]);
  let agent: AgentEngine | undefined;
  const registry = createEngineRegistry({
    [AGENT_ENGINE]: async (): Promise<Engine> => {
      agent = await openAgent({ ...agentConfig, env: host.env, apiKey: await agentKey(host, { model, apiKey }) });
      return agent;
    },
    ...adapters,
  });
  const engine = await registry.resolve(name);
  return {
    engine,
    ...access,
    engineName: name,
    model: agent?.model ?? model,
    secrets: secretsFromEnv(host.env),
    createdBy: host.createdBy,
  };
}

/**
 * Opens the adapter that an engine configuration describes. `undefined` if the configuration describes another kind of
 * engine.
 */
async function openAdapterFile(host: EngineHost, choice: EngineRequest): Promise<OpenedEngine | undefined> {
  const [{ openAdapter }, { openAdapterCatalog }, { adapterBlockOf }] = await Promise.all([
    import("../adapter/adapters.ts"),
    import("../adapter/adapter-catalog.ts"),
    import("@switchyard/runner"),
  ]);
  const catalog = await openAdapterCatalog(host, choice.trustedProject, choice.code);
  const found = adapterBlockOf(choice.engineDocument, { kinds: catalog.kinds });
  if (found === undefined) return undefined;
  const kind = await catalog.load(found.kind);
  const { maxAttempts } = found;
  return {
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
    ...{
      ...(await openAdapter(host, { ...choice, ...found, kind })),
      engineName: found.kind,
      model: choice.model,
    },
    ...{ secrets: secretsFromEnv(host.env), createdBy: host.createdBy },
  };
}

/** Opens an engine that an installed runtime package provides. */
async function openPackaged(host: EngineHost, choice: EngineRequest): Promise<OpenedEngine> {
  const { engine: name, model, mode } = choice;
  if (mode === "plan" || mode === "ask") throw unsupportedMode(name, mode);
  const { openRuntimeEngine } = await import("@switchyard/runtimes");
  const { env, homeDirectory, workingDirectory: currentFolder, now } = host;
  const { allowGitPush, trustedProject: project, code } = choice;
  const engine = await openRuntimeEngine(name.slice(RUNTIME_PREFIX.length), {
    ...{ env, homeDirectory, currentFolder, userFolder: settingsFolder(host), now, project, allowGitPush },
    admit: (found) => code?.admit(found) ?? Promise.resolve(),
  });
  warnOfServers(host, name, choice.mcpServers);
  warnOfFallbackModels(host, name, choice.fallbackModels);
  const secrets = secretsFromEnv(host.env);
  return { engine, engineName: name, model, secrets, createdBy: host.createdBy };
}

/**
 * Returns registry entries for the adapters. Each adapter is loaded and its engine created on first use. `onAccess` is
 * then called with the way in which the agent reaches models.
 */
async function adapterEntries(
  host: EngineHost,
  choice: EngineRequest,
  onAccess: (access: Pick<OpenedEngine, "modelAccess" | "directCause">) => void,
): Promise<Record<string, () => Promise<Engine>>> {
  const [{ modelBlockOf, openAdapter }, { openAdapterCatalog }] = await Promise.all([
    import("../adapter/adapters.ts"),
    import("../adapter/adapter-catalog.ts"),
  ]);
  const catalog = await openAdapterCatalog(host, choice.trustedProject, choice.code);
  return Object.fromEntries(
    catalog.kinds.map((name) => [
      name,
      async (): Promise<Engine> => {
        const block = modelBlockOf(name, choice.model);
        const { engine, ...access } = await openAdapter(host, { ...choice, kind: await catalog.load(name), block });
        onAccess(access);
        return engine;
      },
    ]),
  );
}

/**
 * Throws `engine.not_found` for an unknown engine name. The error names the package of an untrusted project that
 * provides the engine, if any.
 */
async function assertKnown(host: EngineHost, { engine }: EngineRequest, known: readonly string[]): Promise<void> {
  if (known.includes(engine)) return;
  const { untrustedPackage } = await import("../adapter/adapter-catalog.ts");
  throw unknownEngine(engine, known, await untrustedPackage(host, engine, host.workingDirectory));
}

/** Opens the engine that an engine configuration describes. Emits a warning for configuration fields without effect. */
async function openConfigured(
  host: EngineHost,
  { engineDocument, mode, direct, openModelAccess, allowedModels }: EngineRequest,
  { apiKey, ...agent }: Omit<AgentEngineConfig, "env"> & { apiKey?: string | undefined },
): Promise<OpenedEngine> {
  const { openConfiguredEngine } = await import("@switchyard/runner");
  const { fallbackModels } = agent;
  const access = { usesGateway: direct !== true, openModelAccess, fallbackModels, allowedModels, now: host.now };
  const options = { env: host.env, apiKey, credentialsFile: credentialsFile(host), agent, ...access };
  const { name, engine, model, warnings, usesGateway } = await openConfiguredEngine(engineDocument, options);
  if (name !== AGENT_ENGINE && (mode === "plan" || mode === "ask")) throw unsupportedMode(name, mode);
  if (name !== AGENT_ENGINE) warnOfServers(host, name, agent.mcpServers);
  if (name !== AGENT_ENGINE && usesGateway !== true) warnOfFallbackModels(host, name, fallbackModels);
  for (const warning of warnings) host.onWarning(warning);
  const secrets = [...secretsFromEnv(host.env), ...(apiKey === undefined ? [] : [secret(apiKey)])];
  const modelAccess = usesGateway === true ? "gateway" : undefined;
  return { engine, engineName: name, model, secrets, createdBy: host.createdBy, modelAccess };
}

/** Creates the error for a permission mode that an engine cannot enforce. */
function unsupportedMode(engine: string, mode: PermissionMode): EngineError {
  const problem = `the engine ${engine} does not support permissions, so ${mode} cannot be enforced; confine it with an environment such as sandbox`;
  return new EngineError("config.invalid", { field: "mode", problem });
}

/**
 * Returns the API key of the model's provider: the given key, otherwise the key in environment variables, otherwise the
 * key in the credentials file. `undefined` if there is none.
 */
async function agentKey(
  host: EngineHost,
  { model, apiKey }: Pick<EngineRequest, "model" | "apiKey">,
): Promise<Secret | undefined> {
  if (apiKey !== undefined) return secret(apiKey);
  if (model === undefined) return undefined;
  const { findApiKey } = await import("@switchyard/runner");
  return findApiKey({ provider: model.split("/")[0] ?? "", env: host.env, file: credentialsFile(host) });
}

async function openAgent(config: AgentEngineConfig): Promise<AgentEngine> {
  try {
    return await openAgentEngine(config);
  } catch (error) {
    const mayWantNone = config.baseUrl !== undefined && EngineError.is(error, "model.missing_key");
    if (!mayWantNone) throw error;
    return await openAgentEngine({ ...config, apiKey: NO_KEY });
  }
}

/** Returns whether an engine accepts steering messages during a run. */
export function acceptsSteering({ engine }: OpenedEngine): boolean {
  return typeof engine !== "string" && engine.capabilities?.().acceptsSteering === true;
}
