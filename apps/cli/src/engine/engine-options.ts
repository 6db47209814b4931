import type { PermissionMode, ToolNames } from "@switchyard/settings";

/** Command-line options that select and configure the engine of runs, before parsing and defaults. */
export interface EngineOptions {
  /** Name of the engine, or path of an engine configuration. */
  engine: string;
  /** Model reference, `provider/name`. Default: the default model of the first provider with a key. */
  model?: string | undefined;
  /** Fallback models of the built-in agent, in the order in which they are tried. */
  fallbackModel?: readonly string[] | undefined;
  /** Base URL of the model's API. */
  baseUrl?: string | undefined;
  /** API key that takes precedence over environment variables. */
  apiKey?: string | undefined;
  /** Reasoning effort of the model. */
  reasoningEffort?: string | undefined;
  /** Whether the agent may fetch pages of the public web. */
  web?: boolean | undefined;
  /** Web search backend of the agent. The backend's API key comes from an environment variable. */
  webSearch?: string | undefined;
  /** Set of names that the model's tools have. */
  toolNames?: ToolNames | undefined;
  /** Maximum time that a run waits for its MCP servers before it starts, in seconds. Default: 30. */
  mcpWait?: number | undefined;
  /** Whether the command of a runtime package may use `git push`. */
  allowGitPush?: boolean | undefined;
  /** Permission mode. Engines that cannot enforce the mode are rejected. */
  mode?: PermissionMode | undefined;
}
