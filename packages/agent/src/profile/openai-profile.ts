import { applyPatchTool } from "../apply-patch/apply-patch-tool.ts";
import { DEFAULT_COMMAND_TIMEOUT_MS } from "../session/session-config.ts";
import { SUBAGENT_TOOLS } from "../subagents/subagent-tools.ts";
import { globTool } from "../tools/glob.ts";
import { grepTool } from "../tools/grep.ts";
import { listDirTool } from "../tools/list-dir.ts";
import { readFileTool } from "../tools/read-file.ts";
import { shellTool } from "../tools/shell.ts";
import { shellKillTool, shellOutputTool } from "../tools/shell-background.ts";
import { writeFileTool } from "../tools/write-file.ts";
import { createFamilyProfile } from "./create-family-profile.ts";
import { openAiInstructions } from "./instructions/openai-instructions.ts";
import { OPENAI_TOOLS } from "./native/openai-tools.ts";
import type { ProfileFamily } from "./profile-family.ts";
import type { ProfileOptions } from "./profile-options.ts";
import type { ProviderProfile } from "./provider-profile.ts";

/** Profile data of OpenAI models. See loop: §3.4. */
const OPENAI: ProfileFamily = {
  id: "openai",
  baseInstructions: openAiInstructions,
  tools: [
    readFileTool,
    applyPatchTool,
    writeFileTool,
    shellTool,
    shellOutputTool,
    shellKillTool,
    grepTool,
    globTool,
    ...SUBAGENT_TOOLS,
  ],
  nativeTools: OPENAI_TOOLS,
  nativeOnly: [listDirTool],
  documentNames: ["AGENTS.md", ".codex/instructions.md"],
  commandTimeoutMs: DEFAULT_COMMAND_TIMEOUT_MS,
  contextWindowTokens: 400_000,
  providerOptionsKey: "openai",
};

/** Creates a profile for OpenAI models, which edit files with `apply_patch`. See loop: create_openai_profile, §3.4. */
export function createOpenAiProfile(options: ProfileOptions): ProviderProfile {
  return createFamilyProfile(OPENAI, options);
}
