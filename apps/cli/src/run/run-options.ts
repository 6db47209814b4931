/** Options of the command `run`. */
export interface RunOptions {
  /** The task; empty when none was given. */
  prompt: string;
  /** Model reference, `provider/name`. */
  model?: string;
  /** Address of the model's API. */
  baseUrl?: string;
  /** Name of the engine. */
  engine: string;
  /** Folder to work in. */
  workspace?: string;
  /** File with a SessionInput, `-` for standard input. */
  input?: string;
  /** File for the SessionResult. */
  output?: string;
  /** Form in which events are printed. */
  events?: "jsonl";
  /** Whether the final report is printed as JSON. */
  json?: boolean;
  /** Most turns of the model. */
  maxTurns?: number;
  /** Wall-clock budget in seconds. */
  timeout?: number;
  /** Reasoning effort of the model. */
  reasoningEffort?: string;
  /** Folder for run folders. */
  state?: string;
}
