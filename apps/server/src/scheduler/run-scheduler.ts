import { EngineError } from "@switchyard/contracts";
import type { OwnerQuota, OwnerUsage } from "./owner-quota.ts";
import { OwnerShare } from "./owner-share.ts";
import { RunGroup, startsBefore, type WaitingRun } from "./run-group.ts";
import { canTake, type FindWorker, type WorkerAbilities } from "./run-needs.ts";
import type { ScheduledRun } from "./scheduled-run.ts";

/** Options of `RunScheduler`. */
export interface SchedulerOptions {
  /** Returns the weight and the limits of an owner. Default: equal weights without limits. */
  readonly quotaOf?: ((owner: string) => OwnerQuota) | undefined;
  /** Maximum number of waiting runs of all owners. */
  readonly maxQueued: number;
  /** Maximum number of waiting runs of one owner. */
  readonly maxQueuedPerOwner: number;
}

/** A worker that asks for a run. */
export interface WorkRequest {
  /** Abilities of the worker. */
  readonly worker: WorkerAbilities;
  /** Day, for daily limits, such as `2026-11-28`. */
  readonly day: string;
  /** Returns another worker that exists. Default: there are no other workers. */
  readonly findWorker?: FindWorker | undefined;
}

/** A run that a worker executes. */
interface RunningRun {
  /** State of the run's owner. */
  readonly share: OwnerShare;
  /** Position of the run in the order of arrival. `undefined` if the run was not taken from the queue. */
  readonly order?: number | undefined;
  /**
   * Amount by which the start of this run has increased `OwnerShare.start`: 1 divided by the owner's weight.
   * `undefined` if the run was started elsewhere.
   */
  readonly cost?: number | undefined;
}

/** Place in the queue that is reserved while a run is being accepted. */
export interface QueueSeat {
  /** Adds the accepted run to the queue. */
  fill(run: Pick<ScheduledRun, "runId" | "priority" | "needs">): void;
  /** Frees the reserved place in the queue. Does nothing after `fill`. */
  release(): void;
}

/**
 * Decides which waiting run a free worker executes. The scheduler does no I/O and has no clock.
 *
 * Contract: owners share the starts in proportion to their weights (start-time fair queueing). An owner at one of its
 * limits is skipped. Among an owner's runs that the worker can execute, the highest priority starts first, then the
 * oldest. A worker gets a run if any waiting run fits. Each decision takes time proportional to the number of different
 * requirements, and only the logarithm of the number of runs.
 */
export class RunScheduler {
  readonly #options: SchedulerOptions;
  readonly #waiting = new Map<string, WaitingRun>();
  readonly #running = new Map<string, RunningRun>();
  readonly #owners = new Map<string, OwnerShare>();
  /** Waiting runs, grouped by their requirements. */
  readonly #groups = new Map<string, RunGroup>();
  /** Owners whose runs are skipped until `resume` is called. */
  readonly #paused = new Set<OwnerShare>();
  /** Owners that were skipped because of a limit. */
  readonly #limited = new Set<OwnerShare>();
  /**
   * Ids of the runs whose start counts towards the daily limit of their owner on `#countedDay`. Each run counts once
   * per day.
   */
  readonly #counted = new Set<string>();
  /** Latest day on which a run started. */
  #countedDay = "";
  /** True while the runs of owners that may exceed their limits are skipped. */
  #isHolding = false;
  #reserved = 0;
  #order = 0;
  /** Start number of the run that `next` returned last, see `OwnerShare.start`. */
  #served = 0;
  #day = "";

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Number of waiting runs. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Number of runs that workers execute. */
  get running(): number {
    return this.#running.size;
  }

  /** Reserves a place in the queue for a run that is being accepted. Throws `server.queue_full`. */
  reserve(owner: string): QueueSeat {
    const { maxQueued } = this.#options;
    const share = this.#shareOf(owner);
    const ownLimit = this.#maxQueuedOf(share);
    if (this.size + this.#reserved >= maxQueued) throw new EngineError("server.queue_full", { limit: maxQueued });
    if (share.waiting + share.reserved >= ownLimit) throw new EngineError("server.queue_full", { limit: ownLimit });
    this.#reserve(share, 1);
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#reserve(share, -1);
      isOpen = false;
    };
    return {
      release,
      fill: (run) => {
        release();
        this.push({ ...run, owner });
      },
    };
  }

  /** Adds an accepted run, regardless of the limits of the queue. Does nothing if the run waits or runs already. */
  push(run: ScheduledRun): void {
    if (this.#waiting.has(run.runId) || this.#running.has(run.runId)) return;
    this.#order += 1;
    this.#add(run, this.#order);
  }

  /** Removes a waiting run. Returns false if the run does not wait. */
  remove(runId: string): boolean {
    const found = this.#waiting.get(runId);
    if (found === undefined) return false;
    this.#waiting.delete(runId);
    found.share.waiting -= 1;
    found.group.remove(found);
    // While the run was skipped, another group may have taken the place of its empty group.
    const { key } = found.group;
    if (found.group.size === 0 && this.#groups.get(key) === found.group) this.#groups.delete(key);
    return true;
  }

  /** Removes the run that the worker is to execute, counts it as running, and returns it. */
  next({ worker, day, findWorker = () => undefined }: WorkRequest): ScheduledRun | undefined {
    if (day !== this.#day) {
      this.#day = day;
      this.#readmit(this.#limited);
    }
    const groups = [...this.#groups.values()].filter(({ needs }) => canTake(worker, needs, findWorker));
    const share = this.#nextOwner(groups);
    if (share === undefined) return undefined;
    const found = bestOf(groups.flatMap((group) => group.firstOf(share) ?? []));
    if (found === undefined) return undefined;
    this.remove(found.run.runId);
    this.#served = share.start;
    const cost = 1 / (this.#quotaOf(share).weight ?? 1);
    share.start += cost;
    this.countStart(share.owner, { runId: found.run.runId, day });
    this.#markRunning(found.run.runId, { share, order: found.order, cost });
    return found.run;
  }

  /** Starts a run that does not wait in the queue. Throws `server.owner_limit` if its owner is at a limit. */
  begin(run: Pick<ScheduledRun, "runId" | "owner">, day: string): void {
    const share = this.#shareOf(run.owner);
    const { maxRunning, maxStartsPerDay } = this.#quotaOf(share);
    if (maxRunning !== undefined && share.running >= maxRunning) {
      throw new EngineError("server.owner_limit", { limit: maxRunning, unit: "concurrent runs" });
    }
    if (maxStartsPerDay !== undefined && share.startsOn(day) >= maxStartsPerDay) {
      throw new EngineError("server.owner_limit", { limit: maxStartsPerDay, unit: "runs per day" });
    }
    this.countStart(run.owner, { runId: run.runId, day });
    this.started(run);
  }

  /**
   * Counts a run as running although `next` did not return it, for example because the run started before this
   * scheduler was created.
   */
  started(run: Pick<ScheduledRun, "runId" | "owner">): void {
    this.remove(run.runId);
    if (!this.#running.has(run.runId)) this.#markRunning(run.runId, { share: this.#shareOf(run.owner) });
  }

  /**
   * Counts the start of a run towards the owner's limit for that day. Further starts of the same run on that day do not
   * count.
   */
  countStart(owner: string, { runId, day }: { readonly runId: string; readonly day: string }): void {
    if (day < this.#countedDay) return;
    if (day > this.#countedDay) this.#counted.clear();
    this.#countedDay = day;
    if (this.#counted.has(runId)) return;
    this.#counted.add(runId);
    this.#shareOf(owner).countStart(day);
  }

  /** Stops counting a run as running. */
  ended(runId: string): void {
    const share = this.#running.get(runId)?.share;
    if (share === undefined) return;
    this.#running.delete(runId);
    share.running -= 1;
    if (this.#limited.has(share)) this.#readmit([share]);
  }

  /**
   * Puts a run back into the queue if `next` has returned it but no worker has started it. The run keeps its position
   * among the runs of its owner. Its start does not count towards the share and the daily limit of its owner.
   */
  giveBack(run: ScheduledRun, day: string): void {
    const found = this.#running.get(run.runId);
    if (found === undefined) return;
    const { share, order, cost = 0 } = found;
    if (day === this.#countedDay && this.#counted.delete(run.runId)) this.#shareOf(run.owner).countStart(day, -1);
    this.ended(run.runId);
    // The owner's start number is lowered again, but not below that of the owner served last. Owners that have arrived
    // since begin with that number, and a lower number would give this owner precedence over them.
    share.start = Math.max(share.start - cost, this.#served);
    if (order === undefined) this.push(run);
    else this.#add(run, order);
  }

  /** Skips a waiting run until `endSkip` is called. The run keeps its position and still counts as waiting. */
  skip(runId: string): void {
    const found = this.#waiting.get(runId);
    found?.group.remove(found);
  }

  /** Considers a skipped run again. Does nothing if the run no longer waits. */
  endSkip(runId: string): void {
    const found = this.#waiting.get(runId);
    if (found === undefined) return;
    this.remove(runId);
    this.#add(found.run, found.order);
  }

  /** Returns the ids of the waiting runs that wait for the worker which has their files. Skipped runs are left out. */
  waitingForWorker(): string[] {
    return [...this.#groups.values()].flatMap((group) => (group.needs.worker === undefined ? [] : group.runIds()));
  }

  /** Lets any worker take a waiting run, also if another worker has its files. The run keeps its position. */
  releaseFromWorker(runId: string): void {
    const found = this.#waiting.get(runId);
    if (found === undefined) return;
    this.remove(runId);
    this.#add(withoutWorker(found.run), found.order);
  }

  /** Skips the runs of an owner until the owner is resumed. */
  pause(owner: string): void {
    this.#paused.add(this.#shareOf(owner));
  }

  /** Considers the runs of a paused owner again. */
  resume(owner: string): void {
    const share = this.#shareOf(owner);
    this.#paused.delete(share);
    if (this.#limited.has(share)) this.#readmit([share]);
  }

  /** Considers all owners again that were skipped because of a limit. Called after quotas have changed. */
  reconsiderLimits(): void {
    this.#readmit(this.#limited);
  }

  /**
   * Until `endHold` is called, skips the runs of all owners that would exceed a limit if all their waiting runs started.
   * Called when it is not known which waiting runs are about to start.
   */
  hold(): void {
    this.#isHolding = true;
  }

  /** Considers all owners again that were skipped because of `hold`. */
  endHold(): void {
    this.#isHolding = false;
    this.reconsiderLimits();
  }

  /** Returns how long the oldest waiting run has waited, in milliseconds; 0 if none waits. */
  oldestAgeMs(nowMs: number): number {
    let oldestMs = nowMs;
    // A run that was given back is not the last one to have arrived.
    for (const { run } of this.#waiting.values()) oldestMs = Math.min(oldestMs, run.queuedAtMs ?? nowMs);
    return nowMs - oldestMs;
  }

  /** Returns the use and the limits of an owner on a day, such as `2026-11-28`. */
  usageOf(owner: string, day: string): OwnerUsage {
    const { maxQueued } = this.#options;
    const share = this.#owners.get(owner) ?? new OwnerShare(owner, 0);
    const { waiting, running, reserved } = share;
    const room = Math.min(this.#maxQueuedOf(share) - waiting - reserved, maxQueued - this.size - this.#reserved);
    return {
      waiting,
      running,
      started: share.startsOn(day),
      waitingLeft: Math.max(0, room),
      quota: this.#quotaOf(share),
    };
  }

  /** Returns the numbers of waiting and running runs of each owner that has any. */
  owners(): ReadonlyMap<string, { readonly waiting: number; readonly running: number }> {
    const found = new Map<string, { waiting: number; running: number }>();
    for (const { owner, waiting, running } of this.#owners.values()) {
      if (waiting + running > 0) found.set(owner, { waiting, running });
    }
    return found;
  }

  #add(run: ScheduledRun, order: number): void {
    const group = RunGroup.find(this.#groups, run.needs ?? {});
    const share = this.#shareOf(run.owner);
    const waiting: WaitingRun = { run, share, group, priority: run.priority ?? 0, order };
    this.#waiting.set(run.runId, waiting);
    // An owner without waiting runs gains no precedence for the time without runs.
    if (share.waiting === 0) share.start = Math.max(share.start, this.#served);
    share.waiting += 1;
    group.add(waiting);
  }

  #markRunning(runId: string, run: RunningRun): void {
    this.#running.set(runId, run);
    run.share.running += 1;
  }

  /** Returns the owner with the lowest `start` that has a run in one of the groups and is below its limits. */
  #nextOwner(groups: readonly RunGroup[]): OwnerShare | undefined {
    let next: OwnerShare | undefined;
    const isAllowed = (share: OwnerShare): boolean => {
      const quota = this.#quotaOf(share);
      const isHeld = this.#isHolding && share.mayExceed(quota, this.#day);
      if (!isHeld && !this.#paused.has(share) && share.isBelow(quota, this.#day)) return true;
      this.#limited.add(share);
      return false;
    };
    for (const group of groups) {
      const share = group.nextOwner(isAllowed);
      if (share !== undefined && (next === undefined || share.isBefore(next))) next = share;
    }
    return next;
  }

  /** Considers the given owners again, which were skipped because of a limit. */
  #readmit(shares: Iterable<OwnerShare>): void {
    for (const share of [...shares]) {
      this.#limited.delete(share);
      for (const group of this.#groups.values()) group.readmit(share);
    }
  }

  #reserve(share: OwnerShare, count: number): void {
    share.reserved += count;
    this.#reserved += count;
  }

  #quotaOf({ owner }: OwnerShare): OwnerQuota {
    return this.#options.quotaOf?.(owner) ?? {};
  }

  #maxQueuedOf(share: OwnerShare): number {
    return this.#quotaOf(share).maxQueued ?? this.#options.maxQueuedPerOwner;
  }

  #shareOf(owner: string): OwnerShare {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    const share = new OwnerShare(owner, this.#owners.size);
    this.#owners.set(owner, share);
    return share;
  }
}

/** Returns a run that any worker can take which meets the other requirements. */
function withoutWorker(run: ScheduledRun): ScheduledRun {
  return { ...run, needs: { ...run.needs, worker: undefined } };
}

function bestOf(found: readonly WaitingRun[]): WaitingRun | undefined {
  let best: WaitingRun | undefined;
  for (const waiting of found) if (best === undefined || startsBefore(waiting, best)) best = waiting;
  return best;
}
