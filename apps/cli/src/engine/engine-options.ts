import type { PermissionMode } from "@switchyard/settings";
import type { ToolNames } from "../model/tool-names.ts";

/** Options of a command that select and configure the engine of its runs, as they were typed. */
export interface EngineOptions {
  /** Name of the engine, or path of an engine configuration. */
  engine: string;
  /** Model reference, `provider/name`. Default: the default model of the first provider with a key. */
  model?: string | undefined;
  /** Fallback models of the built-in agent, in the order in which they are called. */
  fallbackModel?: readonly string[] | undefined;
  /** URL of the model's API. */
  baseUrl?: string | undefined;
  /** API key that replaces those in environment variables. */
  apiKey?: string | undefined;
  /** Reasoning effort of the model. */
  reasoningEffort?: string | undefined;
  /** Whether the agent may fetch pages of the public web. */
  web?: boolean | undefined;
  /** Web search backend of the agent. Its key comes from an environment variable. */
  webSearch?: string | undefined;
  /** Set of names under which the model sees the tools. */
  toolNames?: ToolNames | undefined;
  /** Maximum time that a run waits for its MCP servers before it starts, in seconds. Default: 30. */
  mcpWait?: number | undefined;
  /** Whether the command of a runtime package may push with git. */
  allowGitPush?: boolean | undefined;
  /** Permission mode. Every engine must honor it. */
  mode?: PermissionMode | undefined;
}
