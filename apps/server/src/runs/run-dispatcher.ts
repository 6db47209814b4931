import type { Interrupt, RunControl, RunRecord, RunStatus, SessionHandle } from "@switchyard/contracts";
import type { RunSlot } from "../run/run-executor.ts";
import type { QueueSeat } from "../scheduler/run-scheduler.ts";
import type { ScheduledRun } from "../scheduler/scheduled-run.ts";
import type { EventHub } from "../stream/event-hub.ts";
import type { RunProgress } from "./run-progress.ts";

/** A queued or active run whose events this server receives. */
export interface LiveRun extends ScheduledRun {
  /** Hub that receives the events of the run. */
  readonly hub: EventHub;
  /** Progress of the run, from its events. */
  readonly progress: RunProgress;
  /** True if a caller waits for the run and gets the result in the response. */
  isAwaited?: boolean | undefined;
}

/** A run that is queued. */
export type QueuedRun = ScheduledRun & Pick<LiveRun, "isAwaited">;

/** A run that this server executes while its caller waits. */
export interface AdoptedRun {
  /** The run. */
  readonly live: LiveRun;
  /** Called with the session once it has started. */
  onStart(handle: SessionHandle): void;
  /** Called with the final status. */
  end(status: RunStatus): void;
}

/** Registers runs that the server executes while their callers wait. */
export interface RunAdopter {
  /** Registers a run that already has an executor slot. */
  adopt(run: ScheduledRun, slot: RunSlot): AdoptedRun;
}

/**
 * Lets this machine or the workers of a cluster execute queued runs, and connects callers to active runs. Contract:
 * accepted runs are stored, so that they are executed even if this server crashes. See durability promises D1, D10.
 */
export interface RunDispatcher {
  /** Returns the run with this id, if this server receives its events. */
  find(runId: string): LiveRun | undefined;
  /** Resolves with the run, so that its events can be watched. `undefined` if the run has ended. */
  watch(record: RunRecord): Promise<LiveRun | undefined>;
  /**
   * Queues a run that is stored with the status `queued`. Uses the place that `seat` reserved in the queue, if given.
   */
  enqueue(run: QueuedRun, seat?: QueueSeat): void;
  /** Starts queued runs while there is capacity. */
  pump(): void;
  /** Asks a run to stop. A queued run ends immediately. Rejects with `server.run_not_at_work`. */
  interrupt(runId: string, interrupt: Interrupt): Promise<void>;
  /** Passes a message to an active run. Rejects with `server.run_not_at_work` and `prompt.unknown`. */
  control(runId: string, control: RunControl): Promise<void>;
  /** Removes a run from the queue before it is deleted. Throws `server.run_at_work`. */
  withdraw(runId: string): void;
  /**
   * Waits until the process of an ended run releases the run. The end of a run is published shortly before its lease
   * (the exclusive right to execute it) is released, and a caller may send a request in between. Resolves with true if
   * it had to wait. Rejects with `run.*`.
   */
  ended(runId: string): Promise<boolean>;
  /** Waits until the outcomes of all started runs are stored. */
  settled(): Promise<void>;
}
