import { Heap } from "./heap.ts";
import type { OwnerShare } from "./owner-share.ts";
import { keyOfNeeds, type RunNeeds } from "./run-needs.ts";
import type { ScheduledRun } from "./scheduled-run.ts";

/** A run in the queue. */
export interface WaitingRun {
  readonly run: ScheduledRun;
  /** State of the run's owner. */
  readonly share: OwnerShare;
  /** Group that contains the run. */
  readonly group: RunGroup;
  /** Priority among the runs of the owner. */
  readonly priority: number;
  /** Order of arrival. */
  readonly order: number;
}

/**
 * Entry of an owner in the heap of owners. `start` is the value of `OwnerShare.start` when the entry was added. If that
 * value has changed since, the entry is outdated.
 */
interface Turn {
  readonly share: OwnerShare;
  readonly start: number;
  readonly position: number;
}

/** Waiting runs of one owner in a group. */
interface OwnerRuns {
  readonly runs: Heap<WaitingRun>;
  size: number;
  /** Whether the heap of owners contains the owner. */
  hasTurn: boolean;
}

/** Waiting runs with the same requirements. */
export class RunGroup {
  /** Text that is equal for groups with equal requirements. */
  readonly key: string;
  /** Requirements of the runs. */
  readonly needs: RunNeeds;
  /** Number of runs. */
  size = 0;
  readonly #waiting = new Set<WaitingRun>();
  readonly #owners = new Map<OwnerShare, OwnerRuns>();
  readonly #turns = new Heap<Turn>((left, right) =>
    left.start === right.start ? left.position < right.position : left.start < right.start,
  );

  constructor(key: string, needs: RunNeeds) {
    this.key = key;
    this.needs = needs;
  }

  /** Returns the group for runs with these requirements, and creates it if necessary. */
  static find(groups: Map<string, RunGroup>, needs: RunNeeds): RunGroup {
    const key = keyOfNeeds(needs);
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group = new RunGroup(key, needs);
    groups.set(key, group);
    return group;
  }

  /** Adds a run. */
  add(waiting: WaitingRun): void {
    const { share } = waiting;
    const owned = this.#owners.get(share) ?? { runs: new Heap(startsBefore), size: 0, hasTurn: false };
    this.#owners.set(share, owned);
    owned.runs.push(waiting);
    owned.size += 1;
    this.size += 1;
    this.#waiting.add(waiting);
    this.readmit(share);
  }

  /** Removes a run. */
  remove(waiting: WaitingRun): void {
    if (!this.#waiting.delete(waiting)) return;
    this.size -= 1;
    const owned = this.#owners.get(waiting.share);
    if (owned !== undefined) owned.size -= 1;
  }

  /** Returns the ids of the runs. */
  runIds(): string[] {
    return [...this.#waiting].map(({ run }) => run.runId);
  }

  /** Returns the waiting run of an owner that is to start next. */
  firstOf(share: OwnerShare): WaitingRun | undefined {
    const runs = this.#owners.get(share)?.runs;
    // Removed runs stay in the heap until they are first.
    while (runs?.first !== undefined && !this.#waiting.has(runs.first)) runs.pop();
    return runs?.first;
  }

  /** Returns the owner that is served next. Owners that are not allowed are skipped until they are readmitted. */
  nextOwner(isAllowed: (share: OwnerShare) => boolean): OwnerShare | undefined {
    for (let turn = this.#turns.first; turn !== undefined; turn = this.#turns.first) {
      const { share, start } = turn;
      const owned = this.#owners.get(share);
      const hasRuns = owned !== undefined && owned.size > 0;
      if (hasRuns && start === share.start && isAllowed(share)) return share;
      this.#turns.pop();
      if (owned !== undefined) owned.hasTurn = false;
      if (!hasRuns) this.#owners.delete(share);
      // The owner was served by another group in the meantime, so its turn comes later.
      else if (start !== share.start) this.readmit(share);
    }
    return undefined;
  }

  /** Gives an owner with runs in this group a turn again. */
  readmit(share: OwnerShare): void {
    const owned = this.#owners.get(share);
    if (owned === undefined || owned.hasTurn || owned.size === 0) return;
    owned.hasTurn = true;
    this.#turns.push({ share, start: share.start, position: share.position });
  }
}

/** Returns whether a run of an owner starts before another one: by priority, then by arrival. */
export function startsBefore(left: WaitingRun, right: WaitingRun): boolean {
  return left.priority === right.priority ? left.order < right.order : left.priority > right.priority;
}
