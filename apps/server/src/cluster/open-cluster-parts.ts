import type { RunCluster, RunStatus } from "@switchyard/contracts";
import type { ServerMetrics } from "../metrics/create-metrics.ts";
import type { QueuedRun } from "../runs/run-dispatcher.ts";
import type { RunScheduler } from "../scheduler/run-scheduler.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { EventStreams } from "../stream/event-streams.ts";
import { ClusterDispatcher } from "./cluster-dispatcher.ts";
import { ClusterView } from "./cluster-view.ts";
import { RunLeader } from "./run-leader.ts";

/** Dependencies of a server's cluster components. */
export interface ClusterParts {
  /** Connection to the cluster. */
  readonly cluster: RunCluster;
  /** Scheduler of waiting runs. */
  readonly scheduler: RunScheduler;
  /** Event streams of the server's clients. */
  readonly streams: EventStreams;
  /** Metrics. */
  readonly metrics: Pick<ServerMetrics, "leaseLost">;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Called once for every run that this server has queued and that has ended. */
  readonly onEnd: (run: QueuedRun, status: RunStatus) => void;
  /** Called for errors of the server itself. */
  readonly onError: (error: unknown) => void;
}

/** Cluster component that receives changes of runs and competes for leadership. */
export interface ClusterMember {
  /** Starts to receive changes of runs, and to compete for leadership. */
  start(): void;
  /** Leaves the cluster, so that another server can lead immediately. */
  close(): Promise<void>;
}

/** Creates the cluster components of a server, which let the workers of the cluster execute the server's runs. */
export function openClusterParts(
  { now = Date.now }: Pick<ServerOptions, "now">,
  { cluster, scheduler, streams, metrics, monotonic, onEnd, onError }: ClusterParts,
): { readonly dispatcher: ClusterDispatcher; readonly view: ClusterView; readonly member: ClusterMember } {
  const view = new ClusterView({ cluster, scheduler, monotonic, now, onError });
  const isWatched = (runId: string): boolean => streams.isWatched(runId);
  const dispatcher = new ClusterDispatcher({ cluster, view, now, isWatched, onEnd, onError });
  const leader = new RunLeader({ cluster, view, scheduler, monotonic, now, onError, onLost: metrics.leaseLost });
  return {
    ...{ dispatcher, view },
    member: {
      start: () => {
        leader.start();
        view.start();
      },
      close: async () => {
        await leader.close();
        await dispatcher.close();
        await view.close();
      },
    },
  };
}
