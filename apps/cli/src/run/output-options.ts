/** How a run is shown and where it is kept. */
export interface OutputOptions {
  /** File for the SessionResult. */
  output?: string;
  /** Form in which events are printed. */
  events?: "jsonl";
  /** Whether the final report is printed as JSON. */
  json?: boolean;
  /** Folder for run folders. */
  state?: string;
}
