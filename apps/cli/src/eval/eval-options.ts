import type { KeptWorkspaces } from "@switchyard/evaluation";
import type { EnvironmentOptions } from "../environment/environment-options.ts";

/** Options of the command `eval`. */
export interface EvalOptions extends EnvironmentOptions {
  /** The evaluation. */
  file: string;
  /** Cases to run. */
  filter?: string[];
  /** Engines in place of those of the file. */
  engine?: string[];
  /** Engines beside them. */
  addEngine?: string[];
  /** How often every combination is run. */
  iterations?: number;
  /** Sessions that run at the same time. */
  concurrency?: number;
  /** Model of the built-in agent, where the file names none. */
  model?: string;
  /** Address of that model's API. */
  baseUrl?: string;
  /** Whether packages of the folder it is started in may be engines. */
  trustWorkspace?: boolean;
  /** Folder for results and run folders. */
  output?: string;
  /** Whether to go on in a folder with results. */
  resume?: boolean;
  /** Whether nothing more is begun behind the first run that does not pass. */
  failFast?: boolean;
  /** Which workspaces are kept. */
  keepWorkspaces?: KeptWorkspaces;
  /** Whether the results are printed as JSON. */
  json?: boolean;
  /** Folder below which results are kept, where no output is named. */
  state?: string;
}
