import type { ApprovalPolicy } from "@switchyard/agent";
import { type Engine, EngineError } from "@switchyard/contracts";
import { createEngineRegistry } from "@switchyard/engine";
import type { McpServers } from "@switchyard/mcp";
import type { AgentEngine, AgentEngineConfig, AgentSkillsConfig } from "@switchyard/runner";
import { AGENT_ENGINE, openAgentEngine, secretsFromEnv } from "@switchyard/runner";
import { type Secret, secret } from "@switchyard/secrets";
import {
  openSignIns,
  type PermissionMode,
  PLAN_INSTRUCTIONS,
  type ProjectCode,
  RUNTIME_PREFIX,
  settingsFolder,
} from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { credentialsFile } from "../engine/engine-file.ts";
import type { EngineOptions } from "../engine/engine-options.ts";
import { warnOfServers } from "../mcp/warn-of-servers.ts";
import { usageError } from "../program/usage-error.ts";
import type { OpenedEngine } from "./opened-engine.ts";
import { warnOfFallbackModels } from "./warn-of-fallback-models.ts";
import { webSearchOf } from "./web-search.ts";

/**
 * API key that is sent to a custom server when the user set no key. The agent requires a key, but the server may not.
 */
const NO_KEY = "no-key-was-set";

/** Engine options of a command, with values that the command has already read or decided. */
export interface EngineRequest extends EngineOptions {
  /** Approval policy for tool calls. `undefined`: every call runs without approval. */
  approval?: ApprovalPolicy | undefined;
  /** Folders in which the agent finds skills and commands. */
  skills?: AgentSkillsConfig | undefined;
  /** Whether the agent may ask the user questions. */
  askUser?: boolean | undefined;
  /** MCP servers whose tools the agent is offered. */
  mcpServers?: McpServers | undefined;
  /** Content of the engine configuration, if `engine` names one. */
  engineDocument?: unknown;
  /**
   * Trusted folder whose packages may contain engines. `undefined`: only the user's packages and built-in engines are
   * used.
   */
  trustedProject?: string | undefined;
  /** Check that the code in `trustedProject` is unchanged. Needed for runs that can be resumed. */
  code?: ProjectCode | undefined;
}

/**
 * Creates an engine by its name. Rejects with `engine.not_found`, `model.*` and `config.invalid`, before a request is
 * sent to a provider.
 */
export async function openEngine(context: CommandContext, choice: EngineRequest): Promise<OpenedEngine> {
  const { model, baseUrl, reasoningEffort, web, toolNames: naming, mcpServers, approval, askUser } = choice;
  const { engine: name, apiKey } = choice;
  const instructions = choice.mode === "plan" ? PLAN_INSTRUCTIONS : undefined;
  const agentConfig = {
    fallbackModels: choice.fallbackModel,
    ...{ model, baseUrl, reasoningEffort, web, mcpServers, profile: { naming }, approval, askUser, instructions },
    // No user is present to request compaction, so the conversation is compacted automatically by a summary.
    compaction: "summary" as const,
    skills: choice.skills,
    webSearch: webSearchOf(context, choice.webSearch),
    mcpSignIns: mcpServers === undefined ? undefined : openSignIns(context),
    mcpStartWaitMs: choice.mcpWait === undefined ? undefined : choice.mcpWait * 1_000,
  };
  if (choice.allowGitPush === true && !name.startsWith(RUNTIME_PREFIX)) {
    throw usageError("--allow-git-push requires a runtime package: --engine runtime:ID.", "run");
  }
  if (choice.engineDocument !== undefined) {
    const found = await openAdapterFile(context, choice);
    if (found !== undefined) return found;
  }
  if (choice.engineDocument !== undefined) return openConfigured(context, choice, { ...agentConfig, apiKey });
  if (name.startsWith(RUNTIME_PREFIX)) return openPackaged(context, choice);
  const adapters = await adapterEntries(context, choice);
  await assertKnown(context, choice, [AGENT_ENGINE, ...Object.keys(adapters)]);
  let agent: AgentEngine | undefined;
  const registry = createEngineRegistry({
    [AGENT_ENGINE]: async (): Promise<Engine> => {
      agent = await openAgent({ ...agentConfig, env: context.env, apiKey: await agentKey(context, { model, apiKey }) });
      return agent;
    },
    ...adapters,
  });
  return {
    engine: await registry.resolve(name),
    engineName: name,
    model: agent?.model ?? model,
    secrets: secretsFromEnv(context.env),
    createdBy: `@switchyard/cli ${context.version}`,
  };
}

/** Opens an adapter from an engine configuration. `undefined` if the configuration describes another kind of engine. */
async function openAdapterFile(context: CommandContext, choice: EngineRequest): Promise<OpenedEngine | undefined> {
  const [{ openAdapter }, { openAdapterCatalog }, { adapterBlockOf }] = await Promise.all([
    import("../adapter/adapters.ts"),
    import("../adapter/adapter-catalog.ts"),
    import("@switchyard/runner"),
  ]);
  const catalog = await openAdapterCatalog(context, choice.trustedProject, choice.code);
  const found = adapterBlockOf(choice.engineDocument, { kinds: catalog.kinds });
  if (found === undefined) return undefined;
  const kind = await catalog.load(found.kind);
  const { maxAttempts } = found;
  return {
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts } }),
    ...{
      engine: await openAdapter(context, { ...choice, ...found, kind }),
      engineName: found.kind,
      model: choice.model,
    },
    ...{ secrets: secretsFromEnv(context.env), createdBy: `@switchyard/cli ${context.version}` },
  };
}

/** Opens the engine of an installed runtime package. */
async function openPackaged(context: CommandContext, choice: EngineRequest): Promise<OpenedEngine> {
  const { engine: name, model, mode } = choice;
  if (mode === "plan" || mode === "ask") throw unheeded(name, mode);
  const { openRuntimeEngine } = await import("@switchyard/runtimes");
  const { env, homeDirectory, workingDirectory: currentFolder, now } = context;
  const { allowGitPush, trustedProject: project, code } = choice;
  const engine = await openRuntimeEngine(name.slice(RUNTIME_PREFIX.length), {
    ...{ env, homeDirectory, currentFolder, userFolder: settingsFolder(context), now, project, allowGitPush },
    admit: (found) => code?.admit(found) ?? Promise.resolve(),
  });
  warnOfServers(context, name, choice.mcpServers);
  warnOfFallbackModels(context, name, choice.fallbackModel);
  const secrets = secretsFromEnv(context.env);
  return { engine, engineName: name, model, secrets, createdBy: `@switchyard/cli ${context.version}` };
}

/** Returns registry entries for the adapters. Each adapter is loaded and created when it is used. */
async function adapterEntries(
  context: CommandContext,
  choice: EngineRequest,
): Promise<Record<string, () => Promise<Engine>>> {
  const [{ modelBlockOf, openAdapter }, { openAdapterCatalog }] = await Promise.all([
    import("../adapter/adapters.ts"),
    import("../adapter/adapter-catalog.ts"),
  ]);
  const catalog = await openAdapterCatalog(context, choice.trustedProject, choice.code);
  return Object.fromEntries(
    catalog.kinds.map((name) => [
      name,
      async (): Promise<Engine> => {
        const block = modelBlockOf(name, choice.model);
        return openAdapter(context, { ...choice, kind: await catalog.load(name), block });
      },
    ]),
  );
}

/**
 * Throws `engine.not_found` for an unknown engine name. The error lists the most similar name, other known engines, and
 * engines that require `--trust-workspace`.
 */
async function assertKnown(
  context: CommandContext,
  { engine, trustedProject }: EngineRequest,
  known: readonly string[],
): Promise<void> {
  if (known.includes(engine)) return;
  const [{ closestWord }, { untrustedPackage }] = await Promise.all([
    import("@switchyard/contracts"),
    import("../adapter/adapter-catalog.ts"),
  ]);
  const named = await untrustedPackage(context, engine, context.workingDirectory);
  const meant = closestWord(engine, known);
  const others = known.filter((name) => name !== meant);
  const first = meant === undefined ? [] : [`${meant} (did you mean this one?)`];
  const packages =
    named === undefined
      ? "engines from the workspace's packages"
      : `that of the package ${named}, which is not trusted,`;
  const last = trustedProject === undefined ? [`and ${packages} with --trust-workspace`] : [];
  throw new EngineError("engine.not_found", { engine, known: [...first, ...others, ...last] });
}

/** Opens the engine of an engine configuration. Prints a warning for configuration fields without effect. */
async function openConfigured(
  context: CommandContext,
  { engineDocument, mode }: EngineRequest,
  { apiKey, ...agent }: Omit<AgentEngineConfig, "env"> & { apiKey?: string | undefined },
): Promise<OpenedEngine> {
  const { openConfiguredEngine } = await import("@switchyard/runner");
  const options = { env: context.env, apiKey, credentialsFile: credentialsFile(context), agent };
  const { name, engine, model, warnings } = await openConfiguredEngine(engineDocument, options);
  if (name !== AGENT_ENGINE && (mode === "plan" || mode === "ask")) throw unheeded(name, mode);
  if (name !== AGENT_ENGINE) warnOfServers(context, name, agent.mcpServers);
  if (name !== AGENT_ENGINE) warnOfFallbackModels(context, name, agent.fallbackModels);
  for (const warning of warnings) context.stderr.write(`warning: ${neutraliseControls(warning)}\n`);
  const secrets = [...secretsFromEnv(context.env), ...(apiKey === undefined ? [] : [secret(apiKey)])];
  return { engine, engineName: name, model, secrets, createdBy: `@switchyard/cli ${context.version}` };
}

/** Creates the error for a permission mode that an engine cannot enforce. */
function unheeded(engine: string, mode: PermissionMode): EngineError {
  const problem = `the engine ${engine} does not support permissions, so ${mode} cannot be enforced; confine it with an environment such as --env sandbox`;
  return new EngineError("config.invalid", { field: "--mode", problem });
}

/**
 * Returns the API key of the model's provider: the given key, otherwise the key in environment variables, otherwise the
 * key in the credentials file. `undefined` if there is none.
 */
async function agentKey(
  context: CommandContext,
  { model, apiKey }: Pick<EngineRequest, "model" | "apiKey">,
): Promise<Secret | undefined> {
  if (apiKey !== undefined) return secret(apiKey);
  if (model === undefined) return undefined;
  const { findApiKey } = await import("@switchyard/runner");
  return findApiKey({ provider: model.split("/")[0] ?? "", env: context.env, file: credentialsFile(context) });
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
