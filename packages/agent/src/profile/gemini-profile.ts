import { editFileTool } from "../edit-file/edit-file-tool.ts";
import { DEFAULT_COMMAND_TIMEOUT_MS } from "../session/session-config.ts";
import { SUBAGENT_TOOLS } from "../subagents/subagent-tools.ts";
import { globTool } from "../tools/glob.ts";
import { grepTool } from "../tools/grep.ts";
import { listDirTool } from "../tools/list-dir.ts";
import { readFileTool } from "../tools/read-file.ts";
import { readManyFilesTool } from "../tools/read-many-files.ts";
import { shellTool } from "../tools/shell.ts";
import { shellKillTool, shellOutputTool } from "../tools/shell-background.ts";
import { writeFileTool } from "../tools/write-file.ts";
import { createFamilyProfile } from "./create-family-profile.ts";
import { geminiInstructions } from "./instructions/gemini-instructions.ts";
import { GEMINI_TOOLS } from "./native/gemini-tools.ts";
import type { ProfileFamily } from "./profile-family.ts";
import type { ProfileOptions } from "./profile-options.ts";
import type { ProviderProfile } from "./provider-profile.ts";

/** Profile data of Gemini models. See loop: §3.6. */
const GEMINI: ProfileFamily = {
  id: "gemini",
  baseInstructions: geminiInstructions,
  tools: [
    readFileTool,
    readManyFilesTool,
    writeFileTool,
    editFileTool,
    shellTool,
    shellOutputTool,
    shellKillTool,
    grepTool,
    globTool,
    listDirTool,
    ...SUBAGENT_TOOLS,
  ],
  nativeTools: GEMINI_TOOLS,
  documentNames: ["AGENTS.md", "GEMINI.md"],
  commandTimeoutMs: DEFAULT_COMMAND_TIMEOUT_MS,
  contextWindowTokens: 1_048_576,
  providerOptionsKey: "gemini",
};

/** Options for `createGeminiProfile`. */
export interface GeminiProfileOptions extends ProfileOptions {
  /** Safety settings, in the format of the Gemini API. See loop: §3.6. */
  readonly safetySettings?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /**
   * Whether the model may use web search to ground its responses. Before Gemini 3, web search cannot be combined with
   * tools: model calls reject with `config.invalid`. See loop: §3.6.
   */
  readonly grounding?: boolean | undefined;
}

/** Gemini's built-in search tool, in the format of the model client. */
const SEARCH_TOOL = { id: "google.google_search", name: "google_search" };

/**
 * Creates a profile for Gemini models. Safety settings and grounding are passed as provider options. See loop: §3.6.
 */
export function createGeminiProfile(options: GeminiProfileOptions): ProviderProfile {
  const { safetySettings, grounding, ...rest } = options;
  const chosen = {
    ...(safetySettings === undefined ? {} : { safetySettings }),
    ...(grounding === true ? { tools: [SEARCH_TOOL] } : {}),
  };
  if (Object.keys(chosen).length === 0) return createFamilyProfile(GEMINI, rest);
  return createFamilyProfile(GEMINI, { ...rest, providerOptions: { ...chosen, ...options.providerOptions } });
}
