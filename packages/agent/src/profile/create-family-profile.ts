import { ToolRegistry } from "../pipeline/tool-registry.ts";
import { assemblePrompt } from "../prompt/assemble-prompt.ts";
import type { ProfileFamily } from "./profile-family.ts";
import type { ProfileOptions } from "./profile-options.ts";
import type { ProviderOptions, ProviderProfile } from "./provider-profile.ts";

function providerOptionsOf(family: ProfileFamily, options: ProfileOptions): ProviderOptions | undefined {
  if (options.providerOptions === undefined) return undefined;
  return { [family.providerOptionsKey]: options.providerOptions };
}

/** A profile of a family, with what the host chose laid over it. loop: §3.2. */
export function createFamilyProfile(family: ProfileFamily, options: ProfileOptions): ProviderProfile {
  const toolRegistry = new ToolRegistry([...family.tools, ...(options.tools ?? [])]);
  const baseInstructions = options.baseInstructions ?? family.baseInstructions;
  const providerOptions = providerOptionsOf(family, options);
  return {
    id: family.id,
    provider: options.provider ?? family.id,
    model: options.model,
    modelDisplayName: options.modelDisplayName ?? options.model,
    knowledgeCutoff: options.knowledgeCutoff,
    toolRegistry,
    baseInstructions,
    documentNames: options.documentNames ?? family.documentNames,
    commandTimeoutMs: options.commandTimeoutMs ?? family.commandTimeoutMs,
    contextWindowTokens: options.contextWindowTokens ?? family.contextWindowTokens,
    supportsReasoning: options.supportsReasoning ?? true,
    supportsStreaming: options.supportsStreaming ?? true,
    supportsParallelToolCalls: options.supportsParallelToolCalls ?? true,
    buildSystemPrompt: (layers) => assemblePrompt(baseInstructions, layers),
    tools: () => toolRegistry.definitions(),
    providerOptions: () => providerOptions,
  };
}
