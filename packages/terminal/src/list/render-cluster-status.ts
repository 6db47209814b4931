import type { ClusterWorker } from "@switchyard/contracts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { plural } from "../text/plural.ts";

/** State of a cluster, as `readClusterStatus` of `@switchyard/server` returns it. */
export interface ClusterSummary {
  /** Workers of the cluster. */
  readonly workers: readonly Omit<ClusterWorker, "format">[];
  /** Unfinished runs of each owner. */
  readonly owners: readonly { readonly owner: string; readonly queued: number; readonly running: number }[];
  /** Waiting time of the oldest queued run, in seconds. */
  readonly queue_age_seconds: number;
  /** Runs that ended because their workers died. */
  readonly dead_letters: readonly { readonly run_id: string; readonly lost_attempts: number }[];
}

/**
 * Renders the state of a cluster as lines: a summary, then one line for each worker, owner and dead letter (a run that
 * ended because its workers died).
 */
export function renderClusterStatus(status: ClusterSummary): string[] {
  const { workers, owners, queue_age_seconds: ageSeconds, dead_letters: dead } = status;
  const queued = owners.reduce((sum, owner) => sum + owner.queued, 0);
  const lines = [
    `${plural(workers.length, "worker")}, ${queued} queued, oldest ${ageSeconds} s, ${plural(dead.length, "dead letter")}`,
    ...workers.map(({ name, engines, environments, labels, version, running, free }) => {
      const labelled = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
      const offers = [...engines, ...environments, ...labelled].join(" ");
      return `worker ${name}: ${running} running, ${free} free; ${offers}; ${version}`;
    }),
    ...owners.map(({ owner, queued: waiting, running }) => `owner ${owner}: ${waiting} queued, ${running} running`),
    ...dead.map(({ run_id, lost_attempts }) => `dead letter ${run_id}: lost ${plural(lost_attempts, "attempt")}`),
  ];
  return lines.map(neutraliseControls);
}
