import type { PermissionOptions } from "../approval/permission-options.ts";
import type { OutputOptions } from "../run/output-options.ts";

/** Options of the command `resume`. */
export interface ResumeOptions extends OutputOptions, PermissionOptions {
  /** Id of the run, or its beginning. */
  id: string;
  /** Address of the model's API in place of the run's. */
  baseUrl?: string;
  /** Where the run's workspace is now. */
  workspace?: string;
  /** Where the run's place is now. */
  env?: string;
  /** File that describes the engine, in place of the run's. */
  engine?: string;
  /** A key in place of those of the environment. */
  apiKey?: string;
  /** File with MCP servers in place of the run's. */
  mcpConfig?: string;
  /** Maximum time that the run waits for its MCP servers before it goes on, in seconds. */
  mcpWait?: number;
  /** Time limit of the whole run in place of the run's, in seconds. */
  timeout?: number;
  /** Longest total wait of the retries of one model turn, in seconds. */
  retryFor?: number;
  /** Most tokens of the whole run in place of the run's. */
  maxTokens?: number;
  /** Most cost of the whole run in place of the run's, in millionths of a US dollar. */
  maxCost?: number;
  /** Most tries of the whole run in place of the run's. */
  maxAttempts?: number;
  /** Longest wait between two of them, in seconds. */
  maxRetryWait?: number;
  /** Whether the folder is trusted as it is now. */
  trustWorkspace?: boolean;
  /** Whether other runs may work in its folder at the same time. */
  shareWorkspace?: boolean;
  /** Whether the run is taken from a process that still works on it. */
  takeOver?: boolean;
}
