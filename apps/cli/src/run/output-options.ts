import type { StoreOptions } from "../store/open-run-store.ts";

/** Options for a run's output and storage. */
export interface OutputOptions extends StoreOptions {
  /** File for the SessionResult. */
  output?: string;
  /** File with the JSON Schema of the response. */
  outputSchema?: string;
  /** Output format of events. */
  events?: "jsonl";
  /** Whether to print the final report as JSON. */
  json?: boolean;
}
