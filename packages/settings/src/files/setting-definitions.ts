/** Type that a setting's value must have in a settings file. */
export type SettingType = "text" | "number" | "time" | "switch" | "rules" | "path" | "engine";

/** Definition of a setting. */
export interface SettingDefinition {
  /** Command-line option for which the setting provides a default. */
  readonly flag: string;
  /** Environment variable that takes precedence over settings files. `undefined` if there is none. */
  readonly variable?: string | undefined;
  /** Type of the value. */
  readonly type: SettingType;
  /**
   * Whether project settings may contain the setting. Settings that extend permissions or redirect credentials are
   * allowed only in the user's settings. See architecture: decision 20.
   */
  readonly project: boolean;
}

/** Names of the settings in `config.yaml` and `switchyard.yaml`, in display order. */
export const SETTING_NAMES = [
  "model",
  "fallback_model",
  "engine",
  "base_url",
  "direct",
  "reasoning_effort",
  "tool_names",
  "max_turns",
  "timeout",
  "retry_for",
  "web",
  "web_search",
  "mcp_config",
  "mcp_wait",
  "env",
  "env_network",
  "env_memory",
  "env_user",
  "mode",
  "approve",
  "allow",
  "deny",
  "state",
  "store",
  "budgets",
] as const;

/** Name of a setting. */
export type SettingName = (typeof SETTING_NAMES)[number];

/** Definitions of the settings by name. */
export const SETTINGS: Readonly<Record<SettingName, SettingDefinition>> = {
  model: { flag: "--model", variable: "SWITCHYARD_MODEL", type: "text", project: true },
  fallback_model: { flag: "--fallback-model", type: "text", project: true },
  engine: { flag: "--engine", type: "engine", project: false },
  base_url: { flag: "--base-url", type: "text", project: false },
  direct: { flag: "--direct", type: "switch", project: false },
  reasoning_effort: { flag: "--reasoning-effort", type: "text", project: true },
  tool_names: { flag: "--tool-names", type: "text", project: true },
  max_turns: { flag: "--max-turns", type: "number", project: true },
  timeout: { flag: "--timeout", type: "time", project: true },
  retry_for: { flag: "--retry-for", type: "time", project: true },
  web: { flag: "--web", type: "switch", project: false },
  web_search: { flag: "--web-search", type: "text", project: false },
  mcp_config: { flag: "--mcp-config", type: "path", project: false },
  mcp_wait: { flag: "--mcp-wait", type: "time", project: true },
  env: { flag: "--env", variable: "SWITCHYARD_ENV", type: "text", project: false },
  env_network: { flag: "--env-network", type: "text", project: false },
  env_user: { flag: "--env-user", type: "text", project: false },
  env_memory: { flag: "--env-memory", type: "text", project: false },
  mode: { flag: "--mode", variable: "SWITCHYARD_MODE", type: "text", project: true },
  approve: { flag: "--approve", type: "text", project: true },
  allow: { flag: "--allow", type: "rules", project: false },
  deny: { flag: "--deny", type: "rules", project: true },
  state: { flag: "--state", type: "path", project: false },
  store: { flag: "--store", type: "text", project: false },
  budgets: { flag: "--budgets", type: "path", project: false },
};

/** Returns true if a text is the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
