import { editFileTool } from "../edit-file/edit-file-tool.ts";
import { SUBAGENT_TOOLS } from "../subagents/subagent-tools.ts";
import { globTool } from "../tools/glob.ts";
import { grepModesTool } from "../tools/grep.ts";
import { readFileTool } from "../tools/read-file.ts";
import { shellTool } from "../tools/shell.ts";
import { shellKillTool, shellOutputTool } from "../tools/shell-background.ts";
import { writeFileTool } from "../tools/write-file.ts";
import { createFamilyProfile } from "./create-family-profile.ts";
import { anthropicInstructions } from "./instructions/anthropic-instructions.ts";
import { ANTHROPIC_TOOLS } from "./native/anthropic-tools.ts";
import type { ProfileFamily } from "./profile-family.ts";
import type { ProfileOptions } from "./profile-options.ts";
import type { ProviderProfile } from "./provider-profile.ts";

/** Default command timeout for Claude models, in milliseconds. See loop: §3.5. */
const ANTHROPIC_COMMAND_TIMEOUT_MS = 120_000;

/** Profile data of Claude models. See loop: §3.5. */
const ANTHROPIC: ProfileFamily = {
  id: "anthropic",
  baseInstructions: anthropicInstructions,
  tools: [
    readFileTool,
    writeFileTool,
    editFileTool,
    shellTool,
    shellOutputTool,
    shellKillTool,
    grepModesTool,
    globTool,
    ...SUBAGENT_TOOLS,
  ],
  nativeTools: ANTHROPIC_TOOLS,
  documentNames: ["AGENTS.md", "CLAUDE.md"],
  commandTimeoutMs: ANTHROPIC_COMMAND_TIMEOUT_MS,
  contextWindowTokens: 200_000,
  providerOptionsKey: "anthropic",
};

/** Options for `createAnthropicProfile`. */
export interface AnthropicProfileOptions extends ProfileOptions {
  /** Beta features to request, in the `anthropic-beta` header. See loop: beta headers, §3.5. */
  readonly betaHeaders?: readonly string[] | undefined;
}

/** Creates a profile for Claude models, which edit files with `edit_file`. See loop: §3.5. */
export function createAnthropicProfile(options: AnthropicProfileOptions): ProviderProfile {
  const { betaHeaders, providerOptions, ...rest } = options;
  if (betaHeaders === undefined) return createFamilyProfile(ANTHROPIC, options);
  return createFamilyProfile(ANTHROPIC, {
    ...rest,
    providerOptions: { ...providerOptions, betaHeaders },
  });
}
