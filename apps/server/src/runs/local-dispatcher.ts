import {
  EngineError,
  type Interrupt,
  isoTime,
  type RunControl,
  type RunRecord,
  type RunRequest,
  type RunStatus,
  type RunStore,
  type SessionHandle,
  TERMINAL_RUN_STATUSES,
} from "@switchyard/contracts";
import { applyControl } from "../run/apply-control.ts";
import { type BudgetClaim, claimBudget } from "../run/claim-budget.ts";
import { type ExecutedRun, executeRun, settleRun } from "../run/execute-run.ts";
import { observerOf } from "../run/observer-of.ts";
import type { RunExecutor, RunSlot } from "../run/run-executor.ts";
import { BudgetPauses } from "../scheduler/budget-pauses.ts";
import type { WorkerAbilities } from "../scheduler/run-needs.ts";
import type { QueueSeat, RunScheduler } from "../scheduler/run-scheduler.ts";
import type { ScheduledRun } from "../scheduler/scheduled-run.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { noticeFrame } from "../stream/event-frame.ts";
import { EventHub } from "../stream/event-hub.ts";
import { notAtWork } from "./not-at-work.ts";
import type { AdoptedRun, LiveRun, QueuedRun, RunDispatcher } from "./run-dispatcher.ts";
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
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Called for every finished run, after the outcome of the run is on disk. */
  readonly onEnd: (run: LiveRun, status: RunStatus) => void;
  /** Called for errors of the server itself. */
  readonly onError: (error: unknown) => void;
}

/**
 * Interval, in milliseconds, of the checks whether a paused owner may continue. Owners pause when a budget (spending
 * limit) that they share allows no further run.
 */
const CHECK_MS = 250;

/** A run that is queued or active in this process. */
interface LocalRun extends LiveRun {
  /** Executor slot of the run. `undefined` while the run is queued. */
  slot?: RunSlot | undefined;
  /** Session of the run. `undefined` until the session has started. */
  handle?: SessionHandle | undefined;
  /** Resolves when the run is no longer active. `undefined` while the run is queued. */
  working?: Promise<void> | undefined;
}

/** A run that the scheduler has chosen. */
interface BeginningRun {
  readonly run: ScheduledRun;
  readonly slot: RunSlot;
  /** Day on which the scheduler counts the start. */
  readonly day: string;
}

/** Describes this process as the only worker. Runs on a single machine have no worker requirements. */
const THIS_PROCESS: WorkerAbilities = { name: "", engines: [], environments: [], labels: {} };

/** Executes the runs of a server on this machine: starts queued runs while executor slots are free. */
export class LocalDispatcher implements RunDispatcher {
  readonly #parts: DispatcherParts;
  readonly #live = new Map<string, LocalRun>();
  readonly #starting = new Set<Promise<void>>();
  readonly #budgets: BudgetPauses;
  #checking: NodeJS.Timeout | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#budgets = new BudgetPauses(parts);
    parts.executor.onFree(() => this.pump());
  }

  find(runId: string): LiveRun | undefined {
    return this.#live.get(runId);
  }

  async watch({ run_id: runId }: RunRecord): Promise<LiveRun | undefined> {
    return this.find(runId);
  }

  enqueue(run: QueuedRun, seat?: QueueSeat): void {
    this.#add(run);
    if (seat === undefined) this.#parts.scheduler.push(run);
    else seat.fill(run);
  }

  adopt(run: ScheduledRun, slot: RunSlot): AdoptedRun {
    this.#parts.scheduler.begin(run, this.#today());
    const live = this.#add(run);
    live.slot = slot;
    live.isAwaited = true;
    const onStart = (handle: SessionHandle): void => {
      live.handle = handle;
      slot.attach(handle);
    };
    return { live, onStart, end: (status) => this.#endLive(live, status) };
  }

  pump(): void {
    const { executor, scheduler } = this.#parts;
    while (executor.hasRoom && this.#budgets.isOpen) {
      const day = this.#today();
      const next = scheduler.next({ worker: THIS_PROCESS, day });
      const live = next === undefined ? undefined : this.#live.get(next.runId);
      if (next === undefined || live === undefined) return;
      const slot = executor.enter();
      live.slot = slot;
      this.#budgets.asks(next.runId, next.owner);
      const working = this.#begin(live, { run: next, slot, day });
      live.working = working;
      this.#starting.add(working);
      void working.finally(() => this.#starting.delete(working));
    }
  }

  async interrupt(runId: string, interrupt: Interrupt): Promise<void> {
    const live = this.#live.get(runId);
    if (live === undefined) throw notAtWork(runId, "over");
    if (live.slot !== undefined) {
      live.slot.stop(interrupt);
      return;
    }
    if (!this.#parts.scheduler.remove(runId)) throw notAtWork(runId, "about to begin");
    const { options, store, onError } = this.#parts;
    const stopped = new EngineError("run.interrupted", { cause: interrupt.cause });
    const status = await settleRun(runId, stopped, { ...options, store, onError });
    this.#endLive(live, status);
  }

  async control(runId: string, control: RunControl): Promise<void> {
    const live = this.#live.get(runId);
    if (live?.handle === undefined) throw notAtWork(runId, live === undefined ? "over" : "waiting");
    applyControl(live.handle, control);
  }

  withdraw(runId: string): void {
    if (!this.#live.has(runId)) return;
    if (!this.#parts.scheduler.remove(runId)) throw new EngineError("server.run_at_work", { runId });
    this.#live.delete(runId);
  }

  async ended(runId: string): Promise<boolean> {
    const working = this.#live.get(runId)?.working;
    if (working === undefined) return false;
    // Reads the current status, because a later attempt of the run may have started.
    const { record } = await this.#parts.store.show(runId);
    if (record === undefined || !TERMINAL_RUN_STATUSES.includes(record.status)) return false;
    await working;
    return true;
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#starting]);
  }

  #today(): string {
    return isoTime((this.#parts.options.now ?? Date.now)()).slice(0, 10);
  }

  #add(run: ScheduledRun): LocalRun {
    const live: LocalRun = { ...run, hub: new EventHub(run.runId, this.#parts.store), progress: new RunProgress() };
    this.#live.set(run.runId, live);
    return live;
  }

  /**
   * Executes a run if its shared budgets (spending limits) allow it to start. Otherwise the run stays queued and
   * occupies nothing.
   */
  async #begin(live: LocalRun, { run, slot, day }: BeginningRun): Promise<void> {
    const { options, scheduler, onError } = this.#parts;
    const claim = await claimBudget(options.session, run.owner, slot);
    if ("waitsFor" in claim) {
      live.slot = undefined;
      live.working = undefined;
      scheduler.giveBack(run, day);
      this.#budgets.answered(run.runId, claim.waitsFor);
      if (claim.problem !== undefined) onError(claim.problem);
      this.#checkSoon();
      slot.release();
      return;
    }
    this.#budgets.answered(run.runId, claim.error === undefined ? "place" : "unknown");
    this.pump();
    await this.#work(live, slot, claim);
  }

  /**
   * From time to time, lets the runs of owners ask their budgets again, because runs of other processes may have ended.
   */
  #checkSoon(): void {
    const check = (): void => {
      this.#checking = undefined;
      this.#budgets.check();
      this.pump();
      if (this.#budgets.hasPaused) this.#checkSoon();
    };
    this.#checking ??= setTimeout(check, CHECK_MS).unref();
  }

  async #work(live: LocalRun, slot: RunSlot, claim: BudgetClaim): Promise<void> {
    const { options, store, onError } = this.#parts;
    const { runId } = live;
    const run: ExecutedRun = {
      ...{ runId, slot, claim },
      openWorkspace: async ({ request }) => workspaceOf(runId, request),
      observerOf: ({ request }) => observerOf(live, options, serverSettingsOf(request)?.traceparent),
      onStart: (handle) => {
        live.handle = handle;
      },
    };
    const status = await executeRun(run, { ...options, store, onError });
    this.#endLive(live, status);
    slot.release();
  }

  /** Ends the event streams of a run, and reports the run's end. Called after the outcome is on disk. */
  #endLive(live: LocalRun, status: RunStatus): void {
    const { runId, owner, hub, slot } = live;
    this.#live.delete(runId);
    this.#parts.scheduler.ended(runId);
    // The run no longer counts as active in its budgets. A run that ended while it waited did not count.
    if (slot !== undefined) this.#budgets.ended(owner, 0);
    const notice = status === "queued" ? "draining" : "end";
    hub.end(noticeFrame(notice, { run_id: runId, status }));
    if (TERMINAL_RUN_STATUSES.includes(status)) this.#parts.onEnd(live, status);
  }
}

function workspaceOf(runId: string, request: RunRequest | undefined): string {
  const workspace = serverSettingsOf(request)?.workspace;
  if (workspace !== undefined) return workspace;
  throw new EngineError("run.not_resumable", { runId, problem: "it belongs to another host" });
}
