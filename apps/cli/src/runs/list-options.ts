import { TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { InvalidArgumentError } from "commander";
import type { StoreOptions } from "../store/open-run-store.ts";

/** Statuses by which a list can be filtered. `cut_off` and `damaged` are states that no record contains. */
export const LISTED_STATUSES: readonly string[] = [
  ...["queued", "running", "awaiting_input"],
  ...TERMINAL_RUN_STATUSES,
  ...["cut_off", "damaged"],
];

/** Options of the command `runs list`. */
export interface ListOptions extends StoreOptions {
  /** Whether to print JSON. */
  json?: boolean;
  /** Maximum number of runs to list; 0 for all. Default: 20, and all with `json`. */
  limit?: number;
  /** Statuses of the runs to list. Default: any. */
  status?: readonly string[];
  /** Paths of the folder whose runs the interactive session lists. Default: runs of all folders. */
  folders?: readonly string[] | undefined;
  /** Text that the task or the id contains, in upper or lower case. */
  search?: string;
}

/** Parses comma-separated statuses, and appends them to those of earlier occurrences of the option. */
export function collectStatuses(text: string, statuses: readonly string[] = []): string[] {
  const added = text.split(",").map((status) => status.trim());
  if (added.some((status) => !LISTED_STATUSES.includes(status)))
    throw new InvalidArgumentError(`Allowed choices are ${LISTED_STATUSES.join(", ")}.`);
  return [...statuses, ...added];
}
