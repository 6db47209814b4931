import { type ClusterWorker, type RunCluster, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { isDeadLetter } from "@switchyard/server";
import { neutraliseControls, plural, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type ClusterChoice, openCluster } from "./open-cluster.ts";

/** Time for which announcements of workers are collected, in milliseconds. Workers announce themselves more often. */
const COLLECT_MS = 2_500;

/** Options of the command `cluster status`. */
export interface StatusChoice extends ClusterChoice {
  /** Whether to print JSON. */
  readonly json?: boolean | undefined;
}

/** Counts of the unfinished runs of one owner. */
interface OwnerCounts {
  readonly owner: string;
  queued: number;
  running: number;
}

/** A run that ended because its worker died in too many attempts. */
interface DeadLetter {
  readonly run_id: string;
  readonly owner: string;
  readonly lost_attempts: number;
}

/** State of a cluster. */
interface ClusterStatus {
  readonly workers: readonly Omit<ClusterWorker, "format">[];
  readonly owners: readonly OwnerCounts[];
  /** Waiting time of the oldest queued run, in seconds. */
  readonly queue_age_seconds: number;
  readonly dead_letters: readonly DeadLetter[];
}

/** Prints the state of a cluster. Resolves with exit code 0. Rejects with `config.invalid` and `broker.*`. */
export async function showCluster(context: CommandContext, { json, ...choice }: StatusChoice): Promise<number> {
  await using cluster = await openCluster(context, choice);
  const [workers, runs] = [await collectWorkers(cluster), await readRuns(cluster, context.now())];
  const status: ClusterStatus = { workers, ...runs };
  context.stdout.write(json === true ? `${toPlainJson(status)}\n` : render(status));
  return 0;
}

/** Resolves with the workers that announce themselves. */
async function collectWorkers(cluster: RunCluster): Promise<ClusterStatus["workers"]> {
  const workers = new Map<string, Omit<ClusterWorker, "format">>();
  const stop = cluster.onWorker(({ format: _, ...worker }) => {
    // A worker that shuts down has neither runs nor free slots.
    if (worker.running + worker.free > 0) workers.set(worker.name, worker);
    else workers.delete(worker.name);
  });
  await new Promise((resolve) => setTimeout(resolve, COLLECT_MS));
  stop();
  return [...workers.values()];
}

async function readRuns({ store }: RunCluster, nowMs: number): Promise<Omit<ClusterStatus, "workers">> {
  const owners = new Map<string, OwnerCounts>();
  const dead: DeadLetter[] = [];
  let oldestMs = nowMs;
  for (const run of await store.list()) {
    if (!("record" in run)) continue;
    const { run_id, owner = "", status, created_at, lost_attempts = 0 } = run.record;
    if (isDeadLetter(run.record)) dead.push({ run_id, owner, lost_attempts });
    if (TERMINAL_RUN_STATUSES.includes(status)) continue;
    const counts = owners.get(owner) ?? { owner, queued: 0, running: 0 };
    owners.set(owner, counts);
    if (status === "queued") oldestMs = Math.min(oldestMs, Date.parse(created_at));
    counts[status === "queued" ? "queued" : "running"] += 1;
  }
  return {
    owners: [...owners.values()].sort((left, right) => right.queued - left.queued),
    queue_age_seconds: Math.round((nowMs - oldestMs) / 1_000),
    dead_letters: dead,
  };
}

function render({ workers, owners, queue_age_seconds: ageSeconds, dead_letters: dead }: ClusterStatus): string {
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
  return lines.map((line) => `${neutraliseControls(line)}\n`).join("");
}
