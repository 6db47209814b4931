import type { PermissionOptions } from "../approval/permission-options.ts";
import type { LimitOptions } from "../run/limit-options.ts";
import type { OutputOptions } from "../run/output-options.ts";

/** Options of the command `resume`. Each replaces what is stored with the run. */
export interface ResumeOptions extends Omit<LimitOptions, "maxTurns">, OutputOptions, PermissionOptions {
  /** Id of the run, or a unique prefix of it. */
  id: string;
  /** Base URL of the model's API, which replaces the run's. */
  baseUrl?: string;
  /** New path of the run's workspace. */
  workspace?: string;
  /** New location of the run's environment. */
  env?: string;
  /** Engine configuration file that replaces the run's. */
  engine?: string;
  /** API key that replaces those in environment variables. */
  apiKey?: string;
  /** File with MCP servers that replaces the run's. */
  mcpConfig?: string;
  /** Maximum time that the run waits for its MCP servers before it resumes, in seconds. */
  mcpWait?: number;
  /** Whether to trust the folder's current content. */
  trustWorkspace?: boolean;
  /** Whether other runs may work in the folder at the same time. */
  shareWorkspace?: boolean;
  /** Whether to take the run over from a process that still works on it. */
  takeOver?: boolean;
}
