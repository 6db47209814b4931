import type { StoreOptions } from "../store/open-run-store.ts";

/** Options for a run's output and storage. */
export interface OutputOptions extends StoreOptions {
  /** Path of the file to write the `SessionResult` to. */
  output?: string;
  /** Path of a file with the JSON Schema of the response. */
  outputSchema?: string;
  /** Output format of events. */
  events?: "jsonl";
  /** Whether to print the final report as JSON. */
  json?: boolean;
}
