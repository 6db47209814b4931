import type { StoreOptions } from "../store/open-run-store.ts";

/** How a run is shown and where it is kept. */
export interface OutputOptions extends StoreOptions {
  /** File for the SessionResult. */
  output?: string;
  /** File with the JSON Schema of the answer. */
  outputSchema?: string;
  /** Form in which events are printed. */
  events?: "jsonl";
  /** Whether the final report is printed as JSON. */
  json?: boolean;
}
