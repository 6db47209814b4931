import type { ConfigReader } from "@switchyard/adapter-kit";

/** Permission modes in which `claude` never waits for a user. */
const PERMISSION_MODES = ["acceptEdits", "dontAsk", "plan", "bypassPermissions"] as const;
/** Permission modes in which `claude` could wait for a user, each with the reason why the mode is rejected. */
const WAITING_MODES: ReadonlySet<string> = new Set(["default", "manual", "auto"]);

/** Configuration block `claude-code`. */
export interface ClaudeCodeConfig {
  readonly model?: string | undefined;
  readonly fallbackModel?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly effort?: string | undefined;
  readonly permissionMode?: (typeof PERMISSION_MODES)[number] | undefined;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly appendSystemPrompt?: string | undefined;
  /** Base URL of the model provider's API. */
  readonly baseUrl?: string | undefined;
  /** Name of the environment variable that contains the API key. */
  readonly apiKeyEnv?: string | undefined;
  readonly trustAllTools: boolean;
  /** True if `claude` uses settings and hooks that are stored in the workspace. */
  readonly trustProject: boolean;
  /** True if hooks are not run. */
  readonly disableHooks: boolean;
  /** True if `claude` may have all permissions although it runs as root. */
  readonly allowRoot: boolean;
}

/**
 * Reads the adapter's configuration block. By default, only reading is allowed. See agent-adapter: surface
 * capabilities.
 */
export function readClaudeCodeConfig(reader: ConfigReader): ClaudeCodeConfig {
  const mode = reader.text("permission_mode");
  const isWaiting = mode !== undefined && WAITING_MODES.has(mode);
  if (isWaiting) reader.problem("permission_mode", `in the mode ${mode} the agent could wait for a person`);
  reader.exclude("trust_all_tools", "permission_mode");
  reader.exclude("trust_all_tools", "allowed_tools");
  const allowedTools = reader.texts("allowed_tools");
  const disallowedTools = reader.texts("disallowed_tools");
  const both = allowedTools.find((tool) => disallowedTools.includes(tool));
  if (both !== undefined) reader.problem("allowed_tools", `${both} is in disallowed_tools as well`);
  return {
    ...{ model: reader.text("model"), fallbackModel: reader.text("fallback_model"), effort: reader.text("effort") },
    ...{ maxTurns: reader.count("max_turns"), maxBudgetUsd: reader.count("max_budget_usd") },
    permissionMode: isWaiting ? undefined : reader.choice("permission_mode", PERMISSION_MODES),
    ...{ allowedTools, disallowedTools, trustAllTools: reader.flag("trust_all_tools") },
    ...{ trustProject: reader.flag("trust_project"), disableHooks: reader.flag("disable_hooks") },
    allowRoot: reader.flag("allow_root"),
    appendSystemPrompt: reader.text("append_system_prompt"),
    ...{ baseUrl: reader.text("base_url"), apiKeyEnv: reader.text("api_key_env") },
  };
}
