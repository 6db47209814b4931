import type { EngineOptions } from "@switchyard/engine-catalog";
import type { PermissionOptions, RunLimits } from "@switchyard/settings";
import type { GitInput } from "@switchyard/workspace";
import type { ConfigOptions } from "../config/apply-config.ts";
import type { ChosenEnvironment } from "../environment/default-environment.ts";
import type { HistoryOptions } from "../history/find-earlier-run.ts";
import type { TypedTask } from "../input/task-text.ts";
import type { WorkspaceOptions } from "../worktree/claim-workspace.ts";
import type { InputLimitOptions } from "./limit-options.ts";
import type { OutputOptions } from "./output-options.ts";

/**
 * Options of the command `run`, before defaults are applied. They are converted to `StartSessionOptions` only when the
 * session starts.
 */
export interface RunCommandOptions
  extends EngineOptions,
    InputLimitOptions,
    RunLimits,
    OutputOptions,
    PermissionOptions,
    ChosenEnvironment,
    ConfigOptions,
    WorkspaceOptions,
    TypedTask,
    Omit<HistoryOptions, "state" | "store" | "workspace"> {
  /** Id of the earlier run that this run continues or forks. */
  forkedFrom?: string | undefined;
  /** Patch that is applied to a new worktree before the run starts. */
  patch?: GitInput | undefined;
  /** Path of a file with budgets that the run shares with other runs. */
  budgets?: string | undefined;
  /** Workspace folder. */
  workspace?: string | undefined;
  /** Image files for the agent. */
  image?: string[];
  /** Path of a file with a `SessionInput`, or `-` for standard input. */
  input?: string;
  /** Whether to store the raw output of a third-party agent's command. */
  keepRawOutput?: boolean;
  /** Path of a file with MCP servers. */
  mcpConfig?: string;
}
