import type { AdapterKind, AgentMcpServers, PermissionMode } from "@switchyard/adapter-kit";
import type { Engine } from "@switchyard/contracts";
import type { OpenModelAccess } from "@switchyard/engine";
import type { McpServers } from "@switchyard/mcp";
import { openAdapterEngine } from "@switchyard/runner";
import type { Secret } from "@switchyard/secrets";
import { credentialsFile } from "../engine/credentials-file.ts";
import type { EngineHost } from "../engine/engine-host.ts";
import type { DirectCause } from "../engine/opened-engine.ts";
import { warnOfFallbackModels, warnOfServers } from "../engine/warn-of-unused.ts";
import { openAdapterAccess } from "./adapter-access.ts";

/**
 * Adapter kinds that use the Agent Client Protocol: `acp` starts any agent, given its command; the others start a
 * specific agent.
 */
const ACP_KINDS = ["acp", "acp:gemini", "acp:copilot", "acp:opencode", "acp:kiro", "acp:codex-acp"] as const;

/** Functions that load the bundled adapters, by kind. An adapter is loaded on first use. */
const ADAPTERS: Readonly<Record<string, () => Promise<AdapterKind>>> = {
  "claude-code": async () => (await import("@switchyard/adapter-claude-code")).claudeCode,
  codex: async () => (await import("@switchyard/adapter-codex")).codex,
  opencode: async () => (await import("@switchyard/adapter-opencode")).opencode,
  copilot: async () => (await import("@switchyard/adapter-copilot")).copilot,
  kiro: async () => (await import("@switchyard/adapter-kiro")).kiro,
  ...Object.fromEntries(ACP_KINDS.map((kind) => [kind, () => loadAcp(kind)])),
};

/** Kinds of the bundled adapters. */
export const ADAPTER_KINDS: readonly string[] = Object.keys(ADAPTERS);

/**
 * Adapters whose agent supports several providers and expects the model as `provider/name`. Other agents expect only
 * the model name.
 */
const NAMES_PROVIDER: ReadonlySet<string> = new Set(["opencode"]);

/**
 * Returns the adapter configuration fields that select a model, given as `provider/name`. Empty if no model is
 * selected.
 */
export function modelBlockOf(kind: string, model: string | undefined): Readonly<Record<string, string>> {
  const name = NAMES_PROVIDER.has(kind) ? model : model?.split("/").slice(1).join("/");
  return name === undefined || name === "" ? {} : { model: name };
}

/** Adapter to open, with its configuration. */
export interface AdapterChoice {
  /** Adapter kind. */
  readonly kind: AdapterKind;
  /** Configuration of the adapter: its block in an engine configuration file. */
  readonly block: Readonly<Record<string, unknown>>;
  /** MCP servers that are configured in the agent. */
  readonly mcpServers?: McpServers | undefined;
  /** Permission mode of the agent. Replaces the mode in `block`. */
  readonly mode?: PermissionMode | undefined;
  /** As in `EngineRequest`. */
  readonly unattended?: boolean | undefined;
  /** Whether a user can answer the agent's questions. */
  readonly askUser?: boolean | undefined;
  /** As in `EngineRequest`. */
  readonly direct?: boolean | undefined;
  /** As in `EngineRequest`. */
  readonly env?: string | undefined;
  /** As in `EngineRequest`. */
  readonly openModelAccess?: OpenModelAccess | undefined;
  /** Fallback models that the user requested. They are used if the agent reaches models through the gateway. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** The only models that the agent may call. Same as the field of `RunSettings`. */
  readonly allowedModels?: readonly string[] | undefined;
}

/** Engine of a third-party agent. */
export interface OpenedAdapter {
  /** The engine. */
  readonly engine: Engine;
  /** How the agent reaches models: through the gateway, or directly. Same as the field of `OpenedEngine`. */
  readonly modelAccess: string;
  /** Why the agent calls models directly. Same as the field of `OpenedEngine`. */
  readonly directCause: DirectCause | undefined;
}

/**
 * Creates an engine that runs a third-party agent through an adapter. Rejects with `config.invalid` and `adapter.*`.
 */
export async function openAdapter(host: EngineHost, choice: AdapterChoice): Promise<OpenedAdapter> {
  const { kind, block: given, mode, unattended, mcpServers, askUser } = choice;
  const { direct, openModelAccess, fallbackModels, allowedModels, env: environment } = choice;
  const { blockWithMode, blockWithoutUser } = await import("@switchyard/adapter-kit");
  const attended = unattended === true ? blockWithoutUser(kind, given) : given;
  const block = mode === undefined ? attended : blockWithMode(kind, attended, mode);
  const { env, now } = host;
  const access = await openAdapterAccess(kind, {
    ...{ env, credentialsFile: credentialsFile(host), environment, block, now },
    ...{ direct, openModelAccess, fallbackModels, allowedModels },
  });
  const takesServers = kind.capabilities.mcp;
  const mcpSettings = takesServers ? await mcpSettingsOf(mcpServers, host) : {};
  const engine = await openAdapterEngine(kind, {
    ...{ env, block, openModelAccess: access.open },
    ...{ name: kind.kind, asksUser: askUser === true },
    ...mcpSettings,
  });
  if (!takesServers) warnOfServers(host, kind.kind, mcpServers);
  if (access.open === undefined) warnOfFallbackModels(host, kind.kind, fallbackModels);
  access.fallbackProblems?.forEach(host.onWarning);
  return { engine, modelAccess: access.description, directCause: access.directCause };
}

async function loadAcp(kind: string): Promise<AdapterKind> {
  const [{ createAdapterRegistry }, { acpKinds }] = await Promise.all([
    import("@switchyard/adapter-kit"),
    import("@switchyard/adapter-acp"),
  ]);
  return createAdapterRegistry(acpKinds).get(kind);
}

/** Loads a bundled adapter by its kind. Rejects with `adapter.kind_unknown`. */
export async function loadBundledAdapter(kind: string): Promise<AdapterKind> {
  const { createAdapterRegistry } = await import("@switchyard/adapter-kit");
  const load = ADAPTERS[kind];
  return createAdapterRegistry(load === undefined ? [] : [await load()]).get(kind);
}

/** Returns the MCP configuration for the agent, and the secret values in it that must be redacted. */
async function mcpSettingsOf(
  servers: McpServers | undefined,
  { env }: EngineHost,
): Promise<{ mcpServers?: AgentMcpServers; secrets?: readonly Secret[] }> {
  if (servers === undefined) return {};
  const { mcpSecrets, toAgentMcpServers } = await import("@switchyard/mcp");
  return { mcpServers: toAgentMcpServers(servers, env), secrets: mcpSecrets(servers, env) };
}
