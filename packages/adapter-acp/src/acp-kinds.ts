import {
  type AdapterKind,
  type Authentication,
  type CheckupFacts,
  defineAdapter,
  persistentAdapter,
} from "@switchyard/adapter-kit";
import { createAcpHooks } from "./conversation/create-acp-hooks.ts";
import { readAcpConfig } from "./preset/acp-config.ts";
import { ACP_PRESETS, type AcpPreset, ANY_AGENT } from "./preset/acp-preset.ts";

/**
 * Returns the authentication state. The state is unknown if the checked variables and file contain no credentials,
 * because credentials may be stored elsewhere.
 */
async function authenticationOf({ keys, credentialFile }: AcpPreset, facts: CheckupFacts): Promise<Authentication> {
  const key = keys.find(facts.has);
  if (key !== undefined) return { state: "yes", by: key };
  const isThere = credentialFile !== undefined && (await facts.homeHas(credentialFile));
  return isThere ? { state: "yes", by: `~/${credentialFile}` } : { state: "unknown" };
}

function acpKind(preset: AcpPreset): AdapterKind {
  return defineAdapter({
    ...{ kind: preset.kind, defaultCommand: preset.defaultCommand, credentials: preset.credentials },
    capabilities: {
      ...{ usage: preset.usage, resume: "id", mcp: true },
      permissions:
        "listed kinds of tools are allowed; the user decides about other calls, which are denied if there is no user",
    },
    checkup: {
      ...{ install: preset.install, login: preset.login },
      checkAuthentication: (facts) => authenticationOf(preset, facts),
    },
    modes: preset.modes === undefined ? undefined : { ...preset.modes, trusted: { trust_project: true } },
    readConfig: readAcpConfig,
    redirect: preset.redirect,
    stateFolders: preset.stateFolders,
    create: (settings, config) => persistentAdapter(settings, createAcpHooks(preset, config)),
  });
}

/**
 * Drives any agent that speaks the Agent Client Protocol, version 1, over standard input and output. The agent's
 * command must be configured. Each session has one process. The user decides about permission requests that
 * `allowed_kinds` or `trust_all_tools` do not allow; without a user, they are denied. Usage is reported only if the
 * agent reports the total usage of a turn. See agent-adapter: Agent Client Protocol.
 */
export const acp: AdapterKind = acpKind(ANY_AGENT);

/**
 * The generic ACP adapter, and adapters of known agents: `acp:gemini`, `acp:copilot`, `acp:opencode`, `acp:kiro`,
 * `acp:codex-acp`.
 */
export const acpKinds: readonly AdapterKind[] = [acp, ...ACP_PRESETS.map(acpKind)];
