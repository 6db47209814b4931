import type { PermissionOptions, RunLimits } from "@switchyard/settings";
import type { InputLimitOptions } from "../run/limit-options.ts";
import type { OutputOptions } from "../run/output-options.ts";

/** Options of the command `resume`. Each option replaces the value that is stored with the run. */
export interface ResumeOptions
  extends Omit<InputLimitOptions, "maxTurns">,
    RunLimits,
    OutputOptions,
    PermissionOptions {
  /** Id of the run, or a unique prefix of the id. */
  id: string;
  /** Base URL of the model's API. Replaces the URL that is stored with the run. */
  baseUrl?: string;
  /** New path of the run's workspace. */
  workspace?: string;
  /** New location of the run's environment. */
  env?: string;
  /** Path of an engine configuration file. Replaces the file that the run started with. */
  engine?: string;
  /** API key that takes precedence over environment variables. */
  apiKey?: string;
  /** Path of a file with MCP servers. Replaces the file that the run started with. */
  mcpConfig?: string;
  /** Maximum time that the run waits for MCP servers before it resumes, in milliseconds. */
  mcpStartWaitMs?: number;
  /** Whether to trust the folder's current content. */
  trustWorkspace?: boolean;
  /** Whether other runs may work in the workspace folder at the same time. */
  shareWorkspace?: boolean;
  /** Path of a file with budgets that the run shares with other runs. */
  budgets?: string;
  /** Whether to take over the run from another process that still works on it. */
  takeOver?: boolean;
}
