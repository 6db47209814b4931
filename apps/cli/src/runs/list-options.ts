import { LISTED_STATUSES, type RunFilter } from "@switchyard/runner";
import { InvalidArgumentError } from "commander";
import type { StoreOptions } from "../store/open-run-store.ts";

/** Options of the command `runs list`. */
export interface ListOptions extends StoreOptions, RunFilter {
  /** Whether to print JSON. */
  json?: boolean;
  /** Maximum number of runs to list; 0 for all. Default: 20, and all with `json`. */
  limit?: number;
}

/** Parses comma-separated statuses, and appends them to the statuses of the option's earlier occurrences. */
export function collectStatuses(text: string, statuses: readonly string[] = []): string[] {
  const added = text.split(",").map((status) => status.trim());
  if (added.some((status) => !LISTED_STATUSES.includes(status)))
    throw new InvalidArgumentError(`Allowed choices are ${LISTED_STATUSES.join(", ")}.`);
  return [...statuses, ...added];
}
