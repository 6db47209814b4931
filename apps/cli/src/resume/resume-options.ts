import type { PermissionOptions } from "../approval/permission-options.ts";
import type { LimitOptions } from "../run/limit-options.ts";
import type { OutputOptions } from "../run/output-options.ts";

/** Options of the command `resume`. Each replaces what is stored with the run. */
export interface ResumeOptions extends Omit<LimitOptions, "maxTurns">, OutputOptions, PermissionOptions {
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
  /** Whether the folder is trusted as it is now. */
  trustWorkspace?: boolean;
  /** Whether other runs may work in its folder at the same time. */
  shareWorkspace?: boolean;
  /** Whether the run is taken from a process that still works on it. */
  takeOver?: boolean;
}
