import { type ClusterWorker, type RunCluster, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { queuedAtMsOf } from "../scheduler/scheduled-run.ts";
import { isDeadLetter } from "./is-dead-letter.ts";

/**
 * Default time for which announcements of workers are collected, in milliseconds. Workers announce themselves more
 * often.
 */
const COLLECT_MS = 2_500;

/** Options of `readClusterStatus`. */
export interface ClusterStatusOptions {
  /** Current time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Time for which announcements of workers are collected, in milliseconds. Default: 2,500. */
  readonly collectMs?: number | undefined;
}

/** Counts of the unfinished runs of one owner. */
export interface OwnerCounts {
  /** Name of the owner. Empty for runs without an owner. */
  readonly owner: string;
  /** Number of runs that wait for a worker. */
  readonly queued: number;
  /** Number of runs that a worker executes. */
  readonly running: number;
}

/** A run that ended because its worker died in too many attempts. */
export interface DeadLetter {
  /** Id of the run. */
  readonly run_id: string;
  /** Owner of the run. Empty for a run without an owner. */
  readonly owner: string;
  /** Number of attempts whose worker died. */
  readonly lost_attempts: number;
}

/** State of a cluster: its workers, its queue and its dead letters. */
export interface ClusterStatus {
  /** Workers that announced themselves and have runs or free slots. */
  readonly workers: readonly Omit<ClusterWorker, "format">[];
  /** Unfinished runs of each owner. The owner with the most queued runs is first. */
  readonly owners: readonly OwnerCounts[];
  /** Waiting time of the oldest queued run, in seconds. */
  readonly queue_age_seconds: number;
  /** Runs that are not attempted again. */
  readonly dead_letters: readonly DeadLetter[];
}

/** Resolves with the state of a cluster, after it has collected announcements of workers. Rejects with `broker.*`. */
export async function readClusterStatus(
  cluster: Pick<RunCluster, "store" | "onWorker">,
  { nowMs, collectMs = COLLECT_MS }: ClusterStatusOptions,
): Promise<ClusterStatus> {
  const workers = await collectWorkers(cluster, collectMs);
  return { workers, ...(await readRuns(cluster, nowMs)) };
}

/** Resolves with the workers that announce themselves. */
async function collectWorkers(
  cluster: Pick<RunCluster, "onWorker">,
  collectMs: number,
): Promise<ClusterStatus["workers"]> {
  const workers = new Map<string, Omit<ClusterWorker, "format">>();
  const stop = cluster.onWorker(({ format: _, ...worker }) => {
    // A worker that shuts down has neither runs nor free slots.
    if (worker.running + worker.free > 0) workers.set(worker.name, worker);
    else workers.delete(worker.name);
  });
  await new Promise((resolve) => setTimeout(resolve, collectMs));
  stop();
  return [...workers.values()];
}

async function readRuns({ store }: Pick<RunCluster, "store">, nowMs: number): Promise<Omit<ClusterStatus, "workers">> {
  const owners = new Map<string, OwnerCounts>();
  const dead: DeadLetter[] = [];
  let oldestMs = nowMs;
  for (const run of await store.list()) {
    if (!("record" in run)) continue;
    const { run_id, owner = "", status, lost_attempts = 0 } = run.record;
    if (isDeadLetter(run.record)) dead.push({ run_id, owner, lost_attempts });
    if (TERMINAL_RUN_STATUSES.includes(status)) continue;
    const { queued, running } = owners.get(owner) ?? { queued: 0, running: 0 };
    if (status === "queued") oldestMs = Math.min(oldestMs, queuedAtMsOf(run.record));
    const counts = status === "queued" ? { queued: queued + 1, running } : { queued, running: running + 1 };
    owners.set(owner, { owner, ...counts });
  }
  return {
    owners: [...owners.values()].sort((left, right) => right.queued - left.queued),
    queue_age_seconds: Math.round((nowMs - oldestMs) / 1_000),
    dead_letters: dead,
  };
}
