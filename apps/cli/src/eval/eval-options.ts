import type { KeptWorkspaces } from "@switchyard/evaluation";
import type { EnvironmentOptions, PermissionMode } from "@switchyard/settings";

/** Options of the command `eval`. */
export interface EvalOptions extends EnvironmentOptions {
  /** Path of the evaluation file, or of a folder with one or more tasks in Harbor's format. */
  file: string;
  /** Case ids or patterns of the cases to run. Default: all cases. */
  filter?: string[];
  /** Tags of the cases to run. A case needs at least one of them. Default: all cases. */
  tag?: string[];
  /** Engines to run instead of the engines in the evaluation file. */
  engine?: string[];
  /** Engines to run in addition to the engines in the evaluation file. */
  addEngine?: string[];
  /** Number of times to run each combination of case, variant (of the configuration) and engine. */
  iterations?: number;
  /** Maximum number of concurrent sessions. */
  concurrency?: number;
  /** Model of the built-in agent, if the evaluation file names no model. */
  model?: string;
  /** Base URL of the API of the model in `model`. */
  baseUrl?: string;
  /** Whether engines call models directly instead of through the model gateway. Default: false. */
  direct?: boolean;
  /** Permission mode of all engines. Default: everything is allowed that the settings of an engine do not restrict. */
  mode?: PermissionMode;
  /** Whether to include adapters from packages of the current folder. Default: false. */
  trustWorkspace?: boolean;
  /** Folder for results and run folders. */
  output?: string;
  /** Whether to resume the evaluation in the output folder. Results that passed or failed are reused. */
  resume?: boolean;
  /** Whether to start no more runs after the first run that does not pass. */
  failFast?: boolean;
  /** Whether to stop a comparison of two engines as soon as its outcome is known. */
  untilSignificant?: boolean;
  /** Which workspaces to retain. Default: those of failed runs. */
  keepWorkspaces?: KeptWorkspaces;
  /** Whether to print the results as JSON. */
  json?: boolean;
  /** State folder that contains the results if `output` is not given, and the usage of budgets. */
  state?: string;
  /** URL of a message broker that stores the usage of budgets instead of the folder: `nats://HOST:PORT/NAME`. */
  store?: string;
  /** Path of a file with budgets that the runs share with other runs. */
  budgets?: string;
}
