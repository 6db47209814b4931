import type { RegisteredTool } from "@switchyard/contracts";
import { ToolRegistry } from "../pipeline/tool-registry.ts";
import { assemblePrompt } from "../prompt/assemble-prompt.ts";
import { webFetchTool, webSearchTool } from "../tools/web.ts";
import { exposeNatively } from "./native/expose-natively.ts";
import type { ProfileFamily } from "./profile-family.ts";
import type { ProfileOptions } from "./profile-options.ts";
import type { ProviderOptions, ProviderProfile } from "./provider-profile.ts";
import { toolNamesOf } from "./tool-names.ts";

function providerOptionsOf(family: ProfileFamily, options: ProfileOptions): ProviderOptions | undefined {
  if (options.providerOptions === undefined) return undefined;
  return { [family.providerOptionsKey]: options.providerOptions };
}

/** Returns the tools of a model family that the options enable. See loop: §3.4 to §3.6. */
function familyTools({ tools, nativeOnly = [] }: ProfileFamily, options: ProfileOptions): RegisteredTool[] {
  const { toolNames, webFetcher, webSearcher } = options;
  return [
    ...tools,
    ...(toolNames === "native" ? nativeOnly : []),
    ...(webSearcher === undefined ? [] : [webSearchTool(webSearcher)]),
    ...(webFetcher === undefined ? [] : [webFetchTool(webFetcher)]),
  ];
}

/** Creates a profile from a model family and the host's options, which take precedence. See loop: §3.2. */
export function createFamilyProfile(family: ProfileFamily, options: ProfileOptions): ProviderProfile {
  const nativeTools = options.toolNames === "native" ? family.nativeTools : {};
  const exposeTool = (tool: RegisteredTool): RegisteredTool => exposeNatively(tool, nativeTools);
  const toolRegistry = new ToolRegistry([...familyTools(family, options).map(exposeTool), ...(options.tools ?? [])]);
  const baseInstructions = options.baseInstructions ?? family.baseInstructions(toolNamesOf(nativeTools));
  const providerOptions = providerOptionsOf(family, options);
  return {
    id: family.id,
    provider: options.provider ?? family.id,
    model: options.model,
    modelDisplayName: options.modelDisplayName ?? options.model,
    knowledgeCutoff: options.knowledgeCutoff,
    toolRegistry,
    exposeTool,
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
