import {
  EngineError,
  findEngineError,
  type Interrupt,
  isoTime,
  type RunStatus,
  type RunStore,
  type SessionHandle,
  TERMINAL_RUN_STATUSES,
  toEngineError,
} from "@switchyard/contracts";
import { requeueSession, resumeSession, settleSession } from "@switchyard/runner";
import { observerOf } from "../run/observer-of.ts";
import type { RunExecutor, RunSlot } from "../run/run-executor.ts";
import type { WorkerAbilities } from "../scheduler/run-needs.ts";
import type { RunScheduler } from "../scheduler/run-scheduler.ts";
import type { ScheduledRun } from "../scheduler/scheduled-run.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { noticeFrame } from "../stream/event-frame.ts";
import { EventHub } from "../stream/event-hub.ts";
import { RunProgress } from "./run-progress.ts";
import { serverSettingsOf } from "./server-settings.ts";

/** Dependencies of a dispatcher. */
export interface DispatcherParts {
  /** Options of the server. */
  readonly options: ServerOptions;
  /** Store of the runs. */
  readonly store: RunStore;
  /** Executor of active runs. */
  readonly executor: RunExecutor;
  /** Scheduler of waiting runs. */
  readonly scheduler: RunScheduler;
  /** Called for every finished run, after the outcome of the run is on disk. */
  readonly onEnd: (run: LiveRun, status: RunStatus) => void;
  /** Called for errors of the server itself. */
  readonly onError: (error: unknown) => void;
}

/** Run that is queued or active in this process. */
export interface LiveRun extends ScheduledRun {
  /** Hub that receives the events of the run. */
  readonly hub: EventHub;
  /** Progress of the run, from its events. */
  readonly progress: RunProgress;
  /** True if a caller waits for the run and gets the result in the response. */
  isAwaited?: boolean | undefined;
  /** Executor slot of the run. `undefined` while the run is queued. */
  slot?: RunSlot | undefined;
  /** Session of the run. `undefined` until the session has started. */
  handle?: SessionHandle | undefined;
  /** Resolves when the run is no longer active. `undefined` while the run is queued. */
  working?: Promise<void> | undefined;
}

/** This process as the only worker. The runs of one machine name no requirements. */
const THIS_PROCESS: WorkerAbilities = { name: "", engines: [], environments: [], labels: {} };

/**
 * Starts queued runs, and tracks the queued and active runs of this server. Contract: accepted runs are on disk, so
 * that the next server finds them even if this one crashes. See durability promises D1, D10.
 */
export class RunDispatcher {
  readonly #parts: DispatcherParts;
  readonly #live = new Map<string, LiveRun>();
  readonly #starting = new Set<Promise<void>>();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    parts.executor.onFree(() => this.pump());
  }

  /** Returns a run that is queued or active on this server. */
  find(runId: string): LiveRun | undefined {
    return this.#live.get(runId);
  }

  /**
   * Registers a run that is stored with the status `queued`. The caller must also add the run to the {@link RunScheduler}.
   */
  add(run: ScheduledRun): LiveRun {
    const live: LiveRun = { ...run, hub: new EventHub(run.runId, this.#parts.store), progress: new RunProgress() };
    this.#live.set(run.runId, live);
    return live;
  }

  /** Registers a run that already has an executor slot. The returned function `end` unregisters the run. */
  adopt(run: ScheduledRun, slot: RunSlot): { readonly live: LiveRun; readonly end: (status: RunStatus) => void } {
    const live = this.add(run);
    this.#parts.scheduler.started(run);
    live.slot = slot;
    live.isAwaited = true;
    return { live, end: (status) => this.#endLive(live, status) };
  }

  /** Starts queued runs while executor slots are free. */
  pump(): void {
    const { executor, scheduler, options } = this.#parts;
    while (executor.hasRoom) {
      const day = isoTime((options.now ?? Date.now)()).slice(0, 10);
      const next = scheduler.next({ worker: THIS_PROCESS, day, isAlive: () => false });
      const live = next === undefined ? undefined : this.#live.get(next.runId);
      if (live === undefined) return;
      const slot = executor.enter();
      live.slot = slot;
      const working = this.#work(live, slot);
      live.working = working;
      this.#starting.add(working);
      void working.finally(() => this.#starting.delete(working));
    }
  }

  /** Asks a run to stop. Throws `server.run_not_at_work`. */
  async interrupt(runId: string, interrupt: Interrupt): Promise<void> {
    const live = this.#live.get(runId);
    if (live === undefined) throw notAtWork(runId, "over");
    if (live.slot !== undefined) {
      live.slot.stop(interrupt);
      return;
    }
    if (!this.#parts.scheduler.remove(runId)) throw notAtWork(runId, "about to begin");
    const status = await this.#settle(live, new EngineError("run.interrupted", { cause: interrupt.cause }));
    this.#endLive(live, status);
  }

  /** Returns the session of a run. Throws `server.run_not_at_work`. */
  handleOf(runId: string): SessionHandle {
    const live = this.#live.get(runId);
    if (live?.handle === undefined) throw notAtWork(runId, live === undefined ? "over" : "waiting");
    return live.handle;
  }

  /** Removes a queued run from the queue. Throws `server.run_at_work`. */
  withdraw(runId: string): LiveRun | undefined {
    const live = this.#live.get(runId);
    if (live === undefined) return undefined;
    if (!this.#parts.scheduler.remove(runId)) throw new EngineError("server.run_at_work", { runId });
    this.#live.delete(runId);
    return live;
  }

  /**
   * Waits until a run that has ended is released by its process. The end of a run is published shortly before its lease
   * is released, and a caller may send a request in between. Resolves with true if it had to wait. Rejects with
   * `run.*`.
   */
  async ended(runId: string): Promise<boolean> {
    const working = this.#live.get(runId)?.working;
    if (working === undefined) return false;
    // Reads the current status, because a later attempt of the run may have started.
    const { record } = await this.#parts.store.show(runId);
    if (record === undefined || !TERMINAL_RUN_STATUSES.includes(record.status)) return false;
    await working;
    return true;
  }

  /** Waits until the outcomes of all started runs are on disk. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#starting]);
  }

  async #work(live: LiveRun, slot: RunSlot): Promise<void> {
    let status: RunStatus = "error";
    try {
      status = await this.#attempt(live, slot);
    } catch (error) {
      this.#parts.onError(error);
      status = await this.#settleFailed(live, slot, error);
    } finally {
      this.#endLive(live, status);
      slot.release();
    }
  }

  async #attempt(live: LiveRun, slot: RunSlot): Promise<RunStatus> {
    const { options, store } = this.#parts;
    const { runId } = live;
    const { request } = await store.show(runId);
    const { workspace, traceparent } = serverSettingsOf(request) ?? {};
    if (workspace === undefined) throw new EngineError("run.not_resumable", { runId, problem: "it is another host's" });
    slot.stopped.throwIfAborted();
    const { session, openEnvironment, stateDirectory, now, onError } = options;
    const handle = await resumeSession(runId, {
      ...{ ...session, store, stateDirectory, now, onError, signal: slot.cancelled },
      environment: openEnvironment(workspace, slot.stopped),
      observer: observerOf(live, options, traceparent),
      isAnswerable: true,
    });
    live.handle = handle;
    slot.attach(handle);
    const { status } = await handle.result;
    return this.#isShutDown(slot) && options.resumeOnStart === true ? this.#requeue(live, status) : status;
  }

  #isShutDown(slot: RunSlot): boolean {
    return slot.interrupt?.cause === "host_shutdown";
  }

  /**
   * Queues a run again that this server interrupted at shutdown, so that the next server resumes it. Returns the new
   * status.
   */
  async #requeue({ runId }: LiveRun, status: RunStatus): Promise<RunStatus> {
    if (status !== "interrupted") return status;
    const { options, store } = this.#parts;
    return requeueSession(runId, { ...options.session, store }).then(
      () => "queued",
      () => status,
    );
  }

  /**
   * Records the failure of a run that could not start. At shutdown the run stays queued, so that the next server starts
   * it. Returns the status.
   */
  async #settleFailed(live: LiveRun, slot: RunSlot, error: unknown): Promise<RunStatus> {
    if (live.handle !== undefined) return "error";
    if (this.#isShutDown(slot)) return "queued";
    // Another process holds the run's lease, or the run has already ended, so no failure is recorded here.
    if (EngineError.is(error, "run.leased") || EngineError.is(error, "run.finished")) return "running";
    const { interrupt } = slot;
    const cause = interrupt === undefined ? undefined : new EngineError("run.interrupted", { cause: interrupt.cause });
    return this.#settle(live, cause ?? findEngineError(error) ?? toEngineError(error));
  }

  async #settle({ runId }: LiveRun, error: EngineError): Promise<RunStatus> {
    const { options, store, onError } = this.#parts;
    try {
      return (await settleSession(runId, { ...options.session, store, now: options.now, error })).status;
    } catch (failure) {
      onError(failure);
      return "error";
    }
  }

  /** Ends the event streams of a run, and reports the run's end. Called after the outcome is on disk. */
  #endLive(live: LiveRun, status: RunStatus): void {
    const { runId, hub } = live;
    this.#live.delete(runId);
    this.#parts.scheduler.ended(runId);
    const notice = status === "queued" ? "draining" : "end";
    hub.end(noticeFrame(notice, { run_id: runId, status }));
    if (TERMINAL_RUN_STATUSES.includes(status)) this.#parts.onEnd(live, status);
  }
}

function notAtWork(runId: string, status: string): EngineError {
  return new EngineError("server.run_not_at_work", { runId, status });
}
