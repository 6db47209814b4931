import type { GitInput } from "@switchyard/workspace";
import type { PermissionOptions } from "../approval/permission-options.ts";
import type { ConfigOptions } from "../config/apply-config.ts";
import type { EnvironmentOptions } from "../environment/environment-options.ts";
import type { HistoryOptions } from "../history/earlier-run.ts";
import type { TypedTask } from "../input/task-text.ts";
import type { ToolNames } from "../model/tool-names.ts";
import type { WorkspaceOptions } from "../worktree/claim-workspace.ts";
import type { OutputOptions } from "./output-options.ts";

/** Options of the command `run`. */
export interface RunOptions
  extends OutputOptions,
    PermissionOptions,
    EnvironmentOptions,
    ConfigOptions,
    WorkspaceOptions,
    TypedTask,
    Omit<HistoryOptions, "state" | "store" | "workspace"> {
  /** Id of the run that this one was made from. */
  forkedFrom?: string;
  /** Changes that a worktree of its own begins with. */
  patch?: GitInput;
  /** Model reference, `provider/name`. */
  model?: string;
  /** Models that are asked when the first one fails for good, in order. */
  fallbackModel?: string[];
  /** Address of the model's API. */
  baseUrl?: string;
  /** Name of the engine, or the file that describes one. */
  engine: string;
  /** A key in place of those of the environment. */
  apiKey?: string;
  /** Folder to work in. */
  workspace?: string;
  /** Files with pictures for the agent. */
  image?: string[];
  /** File with a SessionInput, `-` for standard input. */
  input?: string;
  /** Most turns of the model. */
  maxTurns?: number;
  /** Most tokens of all model calls together. */
  maxTokens?: number;
  /** Most cost of all model calls together, in millionths of a US dollar. */
  maxCost?: number;
  /** Longest total wait of the retries of one model turn, in seconds. */
  retryFor?: number;
  /** Most tries of the run. */
  maxAttempts?: number;
  /** Longest wait between two of them, in seconds. */
  maxRetryWait?: number;
  /** Wall-clock budget in seconds. */
  timeout?: number;
  /** Whether the raw output of an agent's command is kept. */
  keepRawOutput?: boolean;
  /** Whether the command of a runtime package may push with git. */
  allowGitPush?: boolean;
  /** Reasoning effort of the model. */
  reasoningEffort?: string;
  /** Whether the agent may fetch pages of the public web. */
  web?: boolean;
  /** Who searches the web. */
  webSearch?: string;
  /** File with MCP servers. */
  mcpConfig?: string;
  /** Maximum time that the run waits for its MCP servers before it starts, in seconds. */
  mcpWait?: number;
  /** Whose names the model knows the tools by. */
  toolNames?: ToolNames;
}
