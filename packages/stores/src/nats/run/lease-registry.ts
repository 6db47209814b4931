import { randomUUID } from "node:crypto";
import { EngineError } from "@switchyard/contracts";
import { HEARTBEATS_PER_LEASE, LeaseBeat } from "../../owner/lease-beat.ts";
import { isMissing } from "../broker/broker-failure.ts";
import { type Entry, FencedSubject, WriteConflict } from "../broker/fenced-subject.ts";
import { openStream } from "../broker/open-stream.ts";
import { HEADERS, lastMessage, numberIn } from "../broker/stored-message.ts";
import { heartbeatStreamOf, type NatsContext, type RunLocation } from "./run-location.ts";
import { readMeta } from "./run-meta.ts";

/** An acquired lease. */
export interface AcquiredLease {
  readonly location: RunLocation;
  readonly epoch: number;
  /** Sequence number of the message with which the lease was acquired. */
  readonly last: number;
  /** True if the run had no earlier writer. Default: false. */
  readonly isNew?: boolean | undefined;
}

/** Types of subjects to which only the writer of a run writes. */
type RunSubject = "meta" | "events" | "checkpoints";

/** A NATS subject to which earlier writers of the run can no longer write. */
export interface FencedLog {
  /** Number of the last event or checkpoint of the previous writer. */
  readonly number: number;
  readonly subject: FencedSubject;
}

/** The exclusive right of this process to write to a run, until another process takes it over. */
export interface HeldLease {
  readonly location: RunLocation;
  readonly epoch: number;
  /**
   * True if the run had no earlier writer, so that it had neither events nor checkpoints when the lease was acquired.
   */
  readonly isNew: boolean;
  /** Signal that aborts when this process loses the lease. */
  readonly signal: AbortSignal;
  /** Subject of the run's record. */
  readonly meta: FencedSubject;
  /** Throws `store.stale_epoch` if the lease was released, or if it is already known that it was lost. */
  checkHeld(): void;
  /** Asks the broker whether this process still holds the lease. Rejects with `store.stale_epoch` if not. */
  confirm(): Promise<void>;
  /**
   * Writes a message to a NATS subject, after which the broker rejects messages of all earlier writers to this subject.
   * Writes nothing for a new run, which has no earlier writers. Rejects with `store.stale_epoch`.
   */
  fence(subject: "events" | "checkpoints"): Promise<FencedLog>;
  /**
   * Runs a function that writes to a NATS subject. If the function finds that another writer has written there, the
   * lease counts as lost, and `guard` rejects with `store.stale_epoch`.
   */
  guard<T>(write: () => Promise<T>): Promise<T>;
  /** Sets the function that releases the lease when the store is closed. */
  onClose(release: () => Promise<void>): void;
  /** Stops heartbeats and checks of this lease. Called after the lease was released, or the run deleted. */
  forget(): void;
}

/** State of one lease in the registry. */
interface Held {
  lose(): void;
  release(): Promise<void>;
}

/** Manages the leases of a store: sends heartbeats and detects lost leases. */
export class LeaseRegistry {
  readonly #context: NatsContext;
  readonly #held = new Map<HeldLease, Held>();
  readonly #beat: LeaseBeat;
  /** Time of the last heartbeat, in milliseconds of the monotonic clock. */
  #beatenMs = Number.NEGATIVE_INFINITY;

  constructor(context: NatsContext) {
    this.#context = context;
    const { leaseMs, broker } = context;
    this.#beat = new LeaseBeat({ leaseMs, timer: broker.timer, beat: () => this.#sendAndCheck() });
  }

  /** Sends a heartbeat, unless the last one was sent less than one heartbeat interval ago. Rejects with `broker.*`. */
  async ensureHeartbeat(): Promise<void> {
    const { broker, leaseMs } = this.#context;
    if (broker.timer.monotonic() - this.#beatenMs < leaseMs / HEARTBEATS_PER_LEASE) return;
    await broker.ask(() => this.#sendHeartbeat());
  }

  async #sendHeartbeat(): Promise<void> {
    const sentMs = this.#context.broker.timer.monotonic();
    await sendHeartbeat(this.#context);
    this.#beatenMs = sentMs;
  }

  /** Starts to send heartbeats for a lease that was just acquired, and to check whether it is lost. */
  hold({ location, epoch, last, isNew = false }: AcquiredLease): HeldLease {
    const lost = new AbortController();
    const writerId = randomUUID();
    const stale = (): EngineError => new EngineError("store.stale_epoch", { runId: location.runId, epoch });
    const subjectOf = (name: RunSubject, afterSequence: number): FencedSubject =>
      new FencedSubject(this.#context.broker, {
        stream: location.stream,
        subject: location[name],
        path: location.path,
        writerId: `${writerId}.${name}`,
        last: afterSequence,
      });
    const forget = (): void => this.#forget(lease);
    const lose = (): void => {
      if (this.#held.has(lease)) lost.abort(stale());
      forget();
    };
    const checkHeld = (): void => {
      if (!this.#held.has(lease)) throw stale();
    };
    const guard = async <T>(write: () => Promise<T>): Promise<T> => {
      checkHeld();
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
        lose();
        throw stale();
      }
    };
    const confirm = async (): Promise<void> => {
      checkHeld();
      if (await isLeaseHeld(this.#context, location, epoch)) return;
      lose();
      throw stale();
    };
    const fence = async (name: "events" | "checkpoints"): Promise<FencedLog> =>
      isNew
        ? { number: 0, subject: subjectOf(name, 0) }
        : await guard(() => markSubject(this.#context, { location, name, epoch, subjectOf }));
    const meta = subjectOf("meta", last);
    const held: Held = { lose, release: async () => undefined };
    const onClose = (release: () => Promise<void>): void => {
      held.release = release;
    };
    const right = { checkHeld, confirm, fence, guard, onClose, forget };
    const lease: HeldLease = { location, epoch, isNew, signal: lost.signal, meta, ...right };
    this.#held.set(lease, held);
    this.#beat.start();
    return lease;
  }

  /** Releases all leases, if the broker is available. */
  async releaseAll(): Promise<void> {
    await Promise.allSettled([...this.#held.values()].map(({ release }) => release()));
  }

  #forget(lease: HeldLease): void {
    this.#held.delete(lease);
    if (this.#held.size === 0) this.#beat.stop();
  }

  /** Sends a heartbeat, and checks which leases are lost. */
  async #sendAndCheck(): Promise<void> {
    // A failed heartbeat is ignored, because the broker may be available again at the next one.
    await this.#sendHeartbeat().catch(() => undefined);
    for (const [{ location, epoch }, { lose }] of [...this.#held]) {
      if (!(await isLeaseHeld(this.#context, location, epoch).catch(() => true))) lose();
    }
  }
}

/** Resolves with true if the broker confirms that this process holds the lease of a run with the given epoch. */
export async function isLeaseHeld(context: NatsContext, location: RunLocation, epoch: number): Promise<boolean> {
  const meta = await readMeta(context, location);
  return meta?.epoch === epoch && meta.owner === context.owner.token && !meta.isDeleted;
}

/** Time after which heartbeats of dead processes are removed, in milliseconds. */
const HEARTBEAT_AGE_MS = 24 * 60 * 60 * 1_000;
const NANOSECONDS = 1e6;

/** Opens the stream of heartbeats. It is in the memory of the broker, so a restart of the broker removes it. */
export async function openHeartbeats({ broker, name }: Pick<NatsContext, "broker" | "name">): Promise<void> {
  await openStream(broker, {
    name: heartbeatStreamOf(name),
    subjects: [`${name}.beat.*`],
    storage: "memory",
    discard: "old",
    max_msgs_per_subject: 1,
    max_age: HEARTBEAT_AGE_MS * NANOSECONDS,
  });
}

/** Publishes a heartbeat of this process. Opens the stream of heartbeats again if the broker was restarted. */
export async function sendHeartbeat(context: NatsContext): Promise<void> {
  const { broker, name, owner, leaseMs } = context;
  // A lost response must not delay the next heartbeat.
  const message = { data: "", timeoutMs: leaseMs / HEARTBEATS_PER_LEASE };
  const publish = (): Promise<unknown> => broker.publish(`${name}.beat.${owner.token}`, message);
  await publish().catch(async (error: unknown) => {
    if (await hasStream(context)) throw error;
    await openHeartbeats(context);
    await publish();
  });
}

async function hasStream({ broker, name }: NatsContext): Promise<boolean> {
  return await broker.jsm.streams.info(heartbeatStreamOf(name)).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

/**
 * Resolves with the last heartbeat of a process, a value that changes while the process is alive. `undefined` if the
 * process has never sent a heartbeat.
 */
export async function heartbeatOf({ broker, name }: NatsContext, token: string): Promise<number | undefined> {
  const place = { stream: heartbeatStreamOf(name), subject: `${name}.beat.${token}` };
  const found = await lastMessage(broker, place).catch((error: unknown) => {
    // The broker was restarted, and no process has sent a heartbeat since.
    if (isMissing(error)) return undefined;
    throw error;
  });
  return found?.sequence;
}

/** Options for excluding writers of earlier epochs from a subject. */
interface Marking {
  readonly location: RunLocation;
  readonly name: "events" | "checkpoints";
  readonly epoch: number;
  subjectOf(name: RunSubject, afterSequence: number): FencedSubject;
}

/**
 * Writes a message that excludes writers of earlier epochs from a subject. Rejects with `WriteConflict` if a writer of
 * a later epoch has already written one.
 */
async function markSubject({ broker }: NatsContext, marking: Marking): Promise<FencedLog> {
  const { location, name, epoch, subjectOf } = marking;
  for (;;) {
    const before = await lastMessage(broker, { stream: location.stream, subject: location[name] });
    if (numberIn(before, HEADERS.epoch) > epoch) throw new WriteConflict();
    const number = numberIn(before, HEADERS.number);
    const mark: Entry = {
      data: "",
      headers: { [HEADERS.epoch]: String(epoch), [HEADERS.kind]: "mark", [HEADERS.number]: String(number) },
    };
    const subject = subjectOf(name, before?.sequence ?? 0);
    try {
      await subject.append(mark);
      return { number, subject };
    } catch (error) {
      // The previous writer has written to the subject since it was read, so it is read again.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}
