import type { ApprovalPolicy } from "@switchyard/agent";
import type { OpenModelAccess } from "@switchyard/engine";
import type { McpPool, McpServers } from "@switchyard/mcp";
import type { AgentSkillsConfig } from "@switchyard/runner";
import type { PermissionMode, ProjectCode, RunSettings } from "@switchyard/settings";

/** Settings that select and configure an engine. */
export interface EngineOptions
  extends Pick<
    RunSettings,
    | "fallbackModels"
    | "allowedModels"
    | "baseUrl"
    | "direct"
    | "reasoningEffort"
    | "web"
    | "webSearch"
    | "toolNames"
    | "mcpStartWaitMs"
  > {
  /** Name of the engine, or path of an engine configuration file. */
  engine: string;
  /** Model reference, `provider/name`. Default: the default model of the first provider with a key. */
  model?: string | undefined;
  /** API key that takes precedence over environment variables. */
  apiKey?: string | undefined;
  /** Whether the command of a runtime package may use `git push`. */
  allowGitPush?: boolean | undefined;
  /** Permission mode. Engines that cannot enforce the mode are rejected. */
  mode?: PermissionMode | undefined;
}

/** Engine to open: its settings, with values that the host program has already determined. */
export interface EngineRequest extends EngineOptions {
  /**
   * Name of the environment of the engine's runs, such as `sandbox`. A third-party agent can use a login in the user's
   * home folder only in `local`. Default: `local`.
   */
  env?: string | undefined;
  /** Approval policy for tool calls. `undefined` if every call runs without approval. */
  approval?: ApprovalPolicy | undefined;
  /** Folders in which the agent finds skills and commands. */
  skills?: AgentSkillsConfig | undefined;
  /**
   * True for runs without a user, in a workspace that the host program prepared. Third-party agents then have all
   * permissions, unless their configuration sets permissions, and use the skills and settings of their workspace.
   * Default: false.
   */
  unattended?: boolean | undefined;
  /** Whether the agent may ask the user questions. */
  askUser?: boolean | undefined;
  /** MCP servers whose tools are offered to the agent. */
  mcpServers?: McpServers | undefined;
  /** Pool that keeps MCP servers open over several runs. Default: each run starts and stops its own servers. */
  mcpPool?: McpPool | undefined;
  /**
   * Opens access to models for each run, in place of the gateway with the API keys of the host. Third-party agents and
   * custom engines then use it even if there is no API key. Default: `undefined`.
   */
  openModelAccess?: OpenModelAccess | undefined;
  /** Content of the engine configuration, if `engine` is the path of a configuration file. */
  engineDocument?: unknown;
  /**
   * Trusted folder whose packages may contain engines. `undefined` if only built-in engines and the user's packages are
   * used.
   */
  trustedProject?: string | undefined;
  /** Checks that the code in `trustedProject` is unchanged. Needed for runs that can be resumed. */
  code?: ProjectCode | undefined;
}
