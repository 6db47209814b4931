import {
  type ClusterWorker,
  type DeclinedRun,
  type DeclineReason,
  EngineError,
  isoTime,
  type RunChange,
  type RunCluster,
  type RunRecord,
  TERMINAL_RUN_STATUSES,
  toEngineError,
} from "@switchyard/contracts";
import { requeueSession, settleSession } from "@switchyard/runner";
import { type BudgetAnswer, BudgetPauses } from "../scheduler/budget-pauses.ts";
import type { RunScheduler, WorkRequest } from "../scheduler/run-scheduler.ts";
import type { ScheduledRun } from "../scheduler/scheduled-run.ts";
import type { ClusterRun, ClusterView } from "./cluster-view.ts";
import { MAX_LOST_ATTEMPTS } from "./is-dead-letter.ts";
import { createRemoteEngine } from "./remote-engine.ts";

/** Time for which a worker waits for the answer to its request, in milliseconds. */
export const REQUEST_MS = 5_000;
/** Time after which the leader no longer answers a request, in milliseconds. A late answer would not be received. */
const ANSWER_MS = 4_000;
/** Time within which a worker must start a run that it was offered, in milliseconds. */
const OFFER_MS = 10_000;
/**
 * How long a run is not offered again that a worker could not begin, in milliseconds. Other reasons do not concern only
 * this run.
 */
const SKIP_MS: Readonly<Partial<Record<DeclineReason, number>>> = {
  folder_busy: 500,
  unreadable: 10_000,
  failed: 10_000,
};
/**
 * Maximum time that a run waits for the worker which has its files, in milliseconds. Afterwards another worker restores
 * the files of the last checkpoint.
 */
const FILES_MS = 300_000;
/** What a declined run shows about the budgets of its owner. */
const ANSWERS: Readonly<Record<DeclineReason, BudgetAnswer>> = {
  owner_full: "owner_full",
  server_full: "server_full",
  // Another worker may be able to read the budgets, so the owner waits only a short time.
  unreadable: "owner_full",
  folder_busy: "unknown",
  not_ready: "unknown",
  failed: "unknown",
};
/**
 * Time after the end of a run until its place in shared budgets is free, in milliseconds. A worker stores the end of a run
 * before it gives the place back.
 */
const RELEASE_MS = 50;
/** Interval of the checks for expired offers and lost runs, in milliseconds. */
const CHECK_MS = 250;
/** Wait before the next attempt to lead after a failure, in milliseconds. */
const PAUSE_MS = 500;

/** Returns whether a lost run needs no recovery: its worker lives, another process recovered it first, or it has ended. */
function isRecovered(error: unknown): boolean {
  return ["run.leased", "run.finished", "run.not_found"].some((code) => EngineError.is(error) && error.code === code);
}

/** Returns whether the recovery of a lost run failed because of the broker, so that the next attempt may succeed. */
function isTemporary(error: unknown): boolean {
  return EngineError.is(error) && (error.code.startsWith("broker.") || error.code === "run.store_failed");
}

/** Options of `RunLeader`. */
export interface RunLeaderOptions {
  /** Connection to the cluster. */
  readonly cluster: RunCluster;
  /** State of the cluster. */
  readonly view: ClusterView;
  /** Scheduler of the waiting runs, kept up to date by `view`. */
  readonly scheduler: RunScheduler;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
  /** Called for each attempt to execute a run that was lost because its worker died. */
  readonly onLost: () => void;
}

interface Request {
  worker: ClusterWorker;
  readonly untilMs: number;
  /** Maximum number of runs that the worker takes. */
  readonly maxRuns: number;
  /** Ids of the runs that the answer offers. */
  readonly offered: string[];
  readonly resolve: (runIds: readonly string[]) => void;
}

/** Input, apart from the worker, with which the leader chooses the next run to offer to a worker. */
interface OfferTerms extends Omit<WorkRequest, "worker"> {
  /** Current time of the monotonic clock, in milliseconds. */
  readonly nowMs: number;
}

/**
 * Offers queued runs to workers while this server leads the cluster, and queues runs again whose worker died. Offers
 * are hints: a run is executed by the worker that acquires its lease, the exclusive right to execute it.
 */
export class RunLeader {
  readonly #options: RunLeaderOptions;
  readonly #closing = new AbortController();
  readonly #requests = new Set<Request>();
  readonly #offers = new Map<string, { readonly run: ScheduledRun; readonly untilMs: number }>();
  /** Time until which runs are not offered, by run id, because a worker could not begin them. */
  readonly #skipped = new Map<string, number>();
  readonly #budgets: BudgetPauses;
  readonly #recovering = new Map<string, Promise<void>>();
  /** Time until which no run of an owner that may exceed a limit is offered. Infinite if there is no such time. */
  #heldUntilMs = Number.POSITIVE_INFINITY;
  #leading: Promise<void> | undefined;
  #isPumping = false;

  constructor(options: RunLeaderOptions) {
    this.#options = options;
    this.#budgets = new BudgetPauses(options);
  }

  /** True while this server leads. */
  isLeading = false;

  /** Starts to compete for leadership. */
  start(): void {
    this.#options.view.onChange((change, before) => this.#apply(change, before));
    this.#leading = this.#run();
  }

  /** Stops leading, so that another server can lead immediately. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#leading;
    await Promise.allSettled([...this.#recovering.values()]);
  }

  #apply({ runId, holder, record }: RunChange, before: ClusterRun | undefined): void {
    const isOver = record === undefined || TERMINAL_RUN_STATUSES.includes(record.status);
    if (holder !== undefined && !isOver) this.#closeOffer(runId, "place");
    else if (record?.status !== "queued") this.#closeOffer(runId, "unknown");
    // Only a run that a worker executed has occupied a place in the budgets.
    if (before?.holder !== undefined && (isOver || holder === undefined))
      this.#budgets.ended(before.record.owner ?? "", RELEASE_MS);
    this.#pumpSoon();
  }

  async #run(): Promise<void> {
    const { cluster, onError } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const lost = await cluster.lead(signal);
        if (lost !== undefined) await this.#lead(AbortSignal.any([signal, lost]));
      } catch (error) {
        onError(error);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  /** Leads until the signal aborts. */
  async #lead(signal: AbortSignal): Promise<void> {
    this.isLeading = true;
    // Runs that the previous leader has offered may be about to start, and this server does not know them.
    this.#options.scheduler.hold();
    this.#heldUntilMs = this.#options.monotonic() + OFFER_MS;
    const stop = this.#options.cluster.answerRequests((worker, maxRuns) => this.#answer(worker, maxRuns));
    const stopUpdates = this.#options.cluster.onWorker((worker) => this.#update(worker));
    const stopDeclined = this.#options.cluster.onDeclined((declined) => this.#decline(declined));
    const checks = setInterval(() => this.#check(), CHECK_MS);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.isLeading = false;
    clearInterval(checks);
    this.#endHold();
    stop();
    stopUpdates();
    stopDeclined();
    for (const { resolve } of this.#requests) resolve([]);
    this.#requests.clear();
    for (const runId of [...this.#offers.keys()]) this.#giveBack(runId, "unknown");
    for (const runId of this.#skipped.keys()) this.#options.scheduler.endSkip(runId);
    this.#skipped.clear();
    this.#budgets.clear();
  }

  #answer(worker: ClusterWorker, maxRuns: number): Promise<readonly string[]> {
    const { view, monotonic } = this.#options;
    view.note(worker);
    return new Promise((resolve) => {
      this.#requests.add({ worker, maxRuns, untilMs: monotonic() + ANSWER_MS, offered: [], resolve });
      this.#pumpSoon();
    });
  }

  /**
   * Updates a worker's pending request for runs when the state of the worker changes, for example because a folder is
   * free again. If the worker has no free slots, for example because it shuts down, its request is answered without
   * runs.
   */
  #update(worker: ClusterWorker): void {
    for (const request of this.#requests) {
      if (request.worker.name !== worker.name) continue;
      request.worker = worker;
      if (worker.free > 0) continue;
      this.#requests.delete(request);
      request.resolve([]);
    }
    this.#pumpSoon();
  }

  /**
   * Answers waiting requests at the end of the current event loop turn, so that the answers consider everything that
   * changed in this turn.
   */
  #pumpSoon(): void {
    if (!this.isLeading || this.#isPumping || this.#requests.size === 0) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    const { view, monotonic, now } = this.#options;
    const nowMs = monotonic();
    const terms = { nowMs, day: isoTime(now()).slice(0, 10), findWorker: (name: string) => view.findWorker(name) };
    let open = [...this.#requests].filter(({ untilMs }) => untilMs >= nowMs);
    // Each worker gets at most one run per round, so that workers with free slots share the waiting runs.
    while (open.length > 0) open = open.filter((request) => this.#offer(request, terms));
    for (const request of this.#requests) {
      const { offered, untilMs, resolve } = request;
      if (offered.length === 0 && untilMs >= nowMs) continue;
      this.#requests.delete(request);
      resolve(offered);
    }
  }

  /** Adds a run to the answer to a request. Returns whether the worker may take a further run. */
  #offer(request: Request, { nowMs, ...terms }: OfferTerms): boolean {
    const { scheduler } = this.#options;
    const { worker, offered, maxRuns } = request;
    // The worker also checks its free slots. A run that it cannot begin would be delayed until the offer expires.
    const limit = Math.min(maxRuns, worker.free);
    if (offered.length >= limit || !this.#budgets.isOpen) return false;
    const run = scheduler.next({ worker, ...terms });
    if (run === undefined) return false;
    this.#offers.set(run.runId, { run, untilMs: nowMs + OFFER_MS });
    this.#budgets.asks(run.runId, run.owner);
    offered.push(run.runId);
    // Only one run at a time works in a folder.
    const folder = run.needs?.folder?.name;
    if (folder !== undefined)
      request.worker = { ...worker, folders: worker.folders?.filter(({ name }) => name !== folder) };
    return offered.length < limit;
  }

  #check(): void {
    const { monotonic, view } = this.#options;
    const nowMs = monotonic();
    if (nowMs >= this.#heldUntilMs) this.#endHold();
    for (const [runId, { untilMs }] of this.#offers) if (untilMs < nowMs) this.#giveBack(runId, "unknown");
    for (const [runId, untilMs] of this.#skipped) if (untilMs < nowMs) this.#endSkip(runId);
    this.#budgets.check();
    for (const runId of this.#options.scheduler.waitingForWorker()) {
      const sinceMs = view.find(runId)?.heldSinceMs ?? nowMs;
      if (nowMs - sinceMs > FILES_MS) this.#options.scheduler.releaseFromWorker(runId);
    }
    for (const { record } of view.lostRuns()) {
      const runId = record.run_id;
      if (this.#recovering.has(runId)) continue;
      const recovered = this.#recover(record).finally(() => this.#recovering.delete(runId));
      this.#recovering.set(runId, recovered);
    }
    this.#pumpSoon();
  }

  /** Queues a run again that a worker has declined. If the reason concerns only this run, skips it for some time. */
  #decline({ runId, reason }: DeclinedRun): void {
    const { scheduler, monotonic } = this.#options;
    const isKnown = this.#giveBack(runId, ANSWERS[reason]);
    const skipMs = SKIP_MS[reason];
    if (isKnown && skipMs !== undefined) {
      // The worker that has the files of the run may decline it each time.
      if (reason !== "folder_busy") scheduler.releaseFromWorker(runId);
      scheduler.skip(runId);
      this.#skipped.set(runId, monotonic() + skipMs);
    }
    this.#pumpSoon();
  }

  #endHold(): void {
    if (!Number.isFinite(this.#heldUntilMs)) return;
    this.#heldUntilMs = Number.POSITIVE_INFINITY;
    this.#options.scheduler.endHold();
  }

  #endSkip(runId: string): void {
    this.#skipped.delete(runId);
    this.#options.scheduler.endSkip(runId);
  }

  /** Queues a run again that was offered to a worker but not started. Returns false if it was not offered. */
  #giveBack(runId: string, answer: BudgetAnswer): boolean {
    const { scheduler, now } = this.#options;
    const run = this.#closeOffer(runId, answer);
    if (run !== undefined) scheduler.giveBack(run, isoTime(now()).slice(0, 10));
    return run !== undefined;
  }

  /**
   * Removes an offer, and notes whether the shared budgets (spending limits) allow its run to start. Returns the run.
   */
  #closeOffer(runId: string, answer: BudgetAnswer): ScheduledRun | undefined {
    const run = this.#offers.get(runId)?.run;
    this.#offers.delete(runId);
    this.#budgets.answered(runId, answer);
    return run;
  }

  /**
   * Queues a run again whose worker died. Ends it as a dead letter if this has happened too often, and with an error if it
   * cannot be resumed.
   */
  async #recover({ run_id: runId, engine: engineName, worker, lost_attempts: before = 0 }: RunRecord): Promise<void> {
    const { cluster, view, now, onError, onLost } = this.#options;
    const lostAttempts = before + 1;
    const options = { engine: createRemoteEngine(engineName), engineName, store: cluster.store, lostAttempts, now };
    try {
      if (lostAttempts < MAX_LOST_ATTEMPTS) await requeueSession(runId, options);
      else {
        const error = new EngineError("run.workers_lost", { runId, attempts: lostAttempts });
        await settleSession(runId, { ...options, error });
      }
      view.forget(worker);
      onLost();
    } catch (error) {
      if (isRecovered(error)) return;
      onError(error);
      if (isTemporary(error)) return;
      // Another attempt would fail for the same reason, such as a damaged checkpoint, so the run ends with the reason.
      await settleSession(runId, { ...options, error: toEngineError(error) }).catch((failure: unknown) => {
        if (!isRecovered(failure)) onError(failure);
      });
    }
  }
}
