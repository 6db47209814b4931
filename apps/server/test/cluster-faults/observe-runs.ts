import { type RunCluster, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { onTestFinished } from "vitest";

/** What was seen of a run. Times are those of this process, because the clocks of workers are wrong. */
export interface SeenRun {
  /** Times at which the run ended. */
  readonly ends: Set<string | undefined>;
  readonly owner: string;
  readonly engine: string;
  readonly queuedMs: number;
  status: string;
  startedMs: number | undefined;
}

/** All runs of a cluster, as they were seen so far. */
export interface ObservedRuns {
  readonly runs: ReadonlyMap<string, SeenRun>;
  /** Largest number of runs of one owner that were executed at the same time. */
  readonly mostRunning: () => number;
  readonly ended: () => number;
  /** Resolves when the next run has ended. */
  readonly nextEnd: () => Promise<void>;
}

/** Watches all runs of a cluster until the test ends. */
export function observeRuns(cluster: RunCluster): ObservedRuns {
  const [runs, running] = [new Map<string, SeenRun>(), new Map<string, Set<string>>()];
  const stop = new AbortController();
  let [most, onEnd]: [number, () => void] = [0, () => undefined];
  const reading = (async () => {
    for await (const { runId, record, holder } of cluster.watchRuns(stop.signal)) {
      if (record === undefined) continue;
      const { owner = "", engine, status, finished_at: finishedAt } = record;
      const nowMs = performance.now();
      const known = runs.get(runId);
      const seen = known ?? newRun({ owner, engine, status, nowMs });
      runs.set(runId, seen);
      const active = running.get(owner) ?? new Set();
      running.set(owner, active);
      if (holder !== undefined && status === "running") active.add(runId);
      else active.delete(runId);
      most = Math.max(most, active.size);
      seen.status = status;
      if (status !== "queued") seen.startedMs ??= nowMs;
      if (!TERMINAL_RUN_STATUSES.includes(status)) continue;
      seen.ends.add(finishedAt);
      onEnd();
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    await reading;
  });
  return {
    runs,
    mostRunning: () => most,
    ended: () => [...runs.values()].filter(({ ends }) => ends.size > 0).length,
    nextEnd: () =>
      new Promise<void>((resolve, reject) => {
        onEnd = resolve;
        reading.catch(reject);
      }),
  };
}

function newRun({ nowMs, ...run }: Pick<SeenRun, "owner" | "engine" | "status"> & { nowMs: number }): SeenRun {
  return { ...run, ends: new Set(), queuedMs: nowMs, startedMs: undefined };
}

/** Returns the mean waiting time of each owner, in milliseconds, shortest first. */
export function meanWaits(runs: Iterable<SeenRun>): number[] {
  const waits = new Map<string, number[]>();
  for (const { owner, queuedMs, startedMs = queuedMs } of runs)
    waits.set(owner, [...(waits.get(owner) ?? []), startedMs - queuedMs]);
  return [...waits.values()]
    .map((list) => list.reduce((sum, wait) => sum + wait, 0) / list.length)
    .sort((left, right) => left - right);
}
