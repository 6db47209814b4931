import type { AdapterKind, AgentMcpServers, PermissionMode } from "@switchyard/adapter-kit";
import type { Engine } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import { openAdapterEngine } from "@switchyard/runner";
import type { Secret } from "@switchyard/secrets";
import type { CommandContext } from "../context/command-context.ts";
import { warnOfServers } from "../mcp/warn-of-servers.ts";
import { warnOfFallbackModels } from "../model/warn-of-fallback-models.ts";

/** Agents that speak the Agent Client Protocol: any one by its command, and those that are known by name. */
const ACP_KINDS = ["acp", "acp:gemini", "acp:copilot", "acp:opencode", "acp:kiro", "acp:codex-acp"] as const;

/** The adapters that come with the program; each is loaded when it is used. */
const ADAPTERS: Readonly<Record<string, () => Promise<AdapterKind>>> = {
  "claude-code": async () => (await import("@switchyard/adapter-claude-code")).claudeCode,
  codex: async () => (await import("@switchyard/adapter-codex")).codex,
  opencode: async () => (await import("@switchyard/adapter-opencode")).opencode,
  copilot: async () => (await import("@switchyard/adapter-copilot")).copilot,
  kiro: async () => (await import("@switchyard/adapter-kiro")).kiro,
  ...Object.fromEntries(ACP_KINDS.map((kind) => [kind, () => loadAcp(kind)])),
};

/** Kinds of the adapters that come with the program. */
export const ADAPTER_KINDS: readonly string[] = Object.keys(ADAPTERS);

/** Agents of many providers: they name a model as we do. Others have one provider, and leave it out. */
const NAMES_PROVIDER: ReadonlySet<string> = new Set(["opencode"]);

/** The block that a model `provider/name` comes to for an adapter; empty where none is chosen. */
export function modelBlockOf(kind: string, model: string | undefined): Readonly<Record<string, string>> {
  const name = NAMES_PROVIDER.has(kind) ? model : model?.split("/").slice(1).join("/");
  return name === undefined || name === "" ? {} : { model: name };
}

/** Which adapter, and how. */
export interface AdapterChoice {
  /** Its kind. */
  readonly kind: AdapterKind;
  /** Its block. */
  readonly block: Readonly<Record<string, unknown>>;
  /** MCP servers that the agent is told of. */
  readonly mcpServers?: McpServers | undefined;
  /** What the agent may do, in place of what its block says. */
  readonly mode?: PermissionMode | undefined;
  /** Whether the agent's questions can be asked. */
  readonly askUser?: boolean | undefined;
  /** Models that were asked for as fallbacks, which no adapter has. */
  readonly fallbackModel?: readonly string[] | undefined;
}

/** Makes the engine of an adapter. Rejects with `config.invalid` and `adapter.*`. */
export async function openAdapter(
  context: CommandContext,
  { kind, block, mode, mcpServers, askUser, fallbackModel }: AdapterChoice,
): Promise<Engine> {
  const { blockWithMode } = await import("@switchyard/adapter-kit");
  const takesServers = kind.capabilities.mcp;
  const told = takesServers ? await toldOf(mcpServers, context) : {};
  const engine = await openAdapterEngine(kind, {
    ...{ env: context.env, block: mode === undefined ? block : blockWithMode(kind, block, mode) },
    ...{ name: kind.kind, asksUser: askUser === true },
    ...told,
  });
  if (!takesServers) warnOfServers(context, kind.kind, mcpServers);
  warnOfFallbackModels(context, kind.kind, fallbackModel);
  return engine;
}

async function loadAcp(kind: string): Promise<AdapterKind> {
  const [{ createAdapterRegistry }, { acpKinds }] = await Promise.all([
    import("@switchyard/adapter-kit"),
    import("@switchyard/adapter-acp"),
  ]);
  return createAdapterRegistry(acpKinds).get(kind);
}

/** Loads one of them. Rejects with `adapter.kind_unknown`. */
export async function loadBundledAdapter(kind: string): Promise<AdapterKind> {
  const { createAdapterRegistry } = await import("@switchyard/adapter-kit");
  const load = ADAPTERS[kind];
  return createAdapterRegistry(load === undefined ? [] : [await load()]).get(kind);
}

/** What an agent is told of MCP servers, and what of that nobody is shown. */
async function toldOf(
  servers: McpServers | undefined,
  { env }: CommandContext,
): Promise<{ mcpServers?: AgentMcpServers; secrets?: readonly Secret[] }> {
  if (servers === undefined) return {};
  const { mcpSecrets, toAgentMcpServers } = await import("@switchyard/mcp");
  return { mcpServers: toAgentMcpServers(servers, env), secrets: mcpSecrets(servers, env) };
}
