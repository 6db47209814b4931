import { randomUUID } from "node:crypto";
import { EngineError } from "@switchyard/contracts";
import { type Entry, FencedSubject, Overtaken } from "../broker/fenced-subject.ts";
import { HEADERS, lastMessage, numberIn } from "../broker/stored-message.ts";
import { readMeta } from "./run-meta.ts";
import { beatStreamOf, type NatsContext, type RunPlace } from "./run-place.ts";

/** Signs of life within the time after which a writer counts as gone. */
const BEATS = 3;

/** A lease that was taken. */
export interface TakenLease {
  readonly place: RunPlace;
  readonly epoch: number;
  /** Place of the message that says so. */
  readonly last: number;
}

/** The subjects of a run that its one writer writes to. */
type RunSubject = "meta" | "events" | "checkpoints";

/** A subject to write to, behind the mark of this writer. */
export interface FencedLog {
  /** Number that the one before had come to. */
  readonly number: number;
  readonly subject: FencedSubject;
}

/** The right to write to a run, as long as nobody takes it. */
export interface HeldLease {
  readonly place: RunPlace;
  readonly epoch: number;
  /** Fires when the lease is lost. */
  readonly signal: AbortSignal;
  /** The subject of its record. */
  readonly meta: FencedSubject;
  /** Throws `store.stale_epoch` when the lease was given back or noticed to be lost. */
  checkHeld(): void;
  /** Asks the broker whether the lease is held. Rejects with `store.stale_epoch`. */
  confirm(): Promise<void>;
  /** Marks a subject, so that no earlier writer can write to it any more. Rejects with `store.stale_epoch`. */
  fence(subject: "events" | "checkpoints"): Promise<FencedLog>;
  /** Does a write; when somebody else was faster, the lease is lost. Rejects with `store.stale_epoch`. */
  guard<T>(write: () => Promise<T>): Promise<T>;
  /** Says how the lease is given back when the store is closed. */
  onClose(release: () => Promise<void>): void;
  /** Says that the lease was given back, or is gone with its run. */
  forget(): void;
}

/** What is done with a lease. */
interface Held {
  lose(): void;
  release(): Promise<void>;
}

/** Looks after the leases that a store holds: gives signs of life, and notices those that were taken away. */
export class LeaseKeeper {
  readonly #context: NatsContext;
  readonly #held = new Map<HeldLease, Held>();
  #ended: AbortController | undefined;

  constructor(context: NatsContext) {
    this.#context = context;
  }

  /** Looks after a lease that was just taken. */
  hold({ place, epoch, last }: TakenLease): HeldLease {
    const lost = new AbortController();
    const writerId = randomUUID();
    const stale = (): EngineError => new EngineError("store.stale_epoch", { runId: place.runId, epoch });
    const subjectOf = (name: RunSubject, behind: number): FencedSubject =>
      new FencedSubject(this.#context.broker, {
        stream: place.stream,
        subject: place[name],
        path: place.path,
        writerId: `${writerId}.${name}`,
        last: behind,
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
        if (!(error instanceof Overtaken)) throw error;
        lose();
        throw stale();
      }
    };
    const confirm = async (): Promise<void> => {
      checkHeld();
      if (await this.#isHeld(place, epoch)) return;
      lose();
      throw stale();
    };
    const fence = (name: "events" | "checkpoints"): Promise<FencedLog> =>
      guard(() => markSubject(this.#context, { place, name, epoch, subjectOf }));
    const meta = subjectOf("meta", last);
    const held: Held = { lose, release: async () => undefined };
    const onClose = (release: () => Promise<void>): void => {
      held.release = release;
    };
    const right = { checkHeld, confirm, fence, guard, onClose, forget };
    const lease: HeldLease = { place, epoch, signal: lost.signal, meta, ...right };
    this.#held.set(lease, held);
    if (this.#ended === undefined) this.#beginToBeat();
    return lease;
  }

  /** Gives all leases back, as far as the broker can be told. */
  async releaseAll(): Promise<void> {
    await Promise.allSettled([...this.#held.values()].map(({ release }) => release()));
  }

  async #isHeld(place: RunPlace, epoch: number): Promise<boolean> {
    const meta = await readMeta(this.#context, place);
    return meta?.epoch === epoch && meta.owner === this.#context.owner.token && !meta.isDeleted;
  }

  #forget(lease: HeldLease): void {
    this.#held.delete(lease);
    if (this.#held.size > 0) return;
    this.#ended?.abort();
    this.#ended = undefined;
  }

  #beginToBeat(): void {
    const ended = new AbortController();
    this.#ended = ended;
    this.#beat(ended.signal).catch(() => undefined);
  }

  /** Ends with the rejection of its sleep. */
  async #beat(signal: AbortSignal): Promise<void> {
    const { broker, leaseMs } = this.#context;
    for (;;) {
      await broker.timer.sleep(leaseMs / BEATS, { signal, isBackground: true });
      // A broker that is away now may be back at the next beat.
      await giveSignOfLife(this.#context).catch(() => undefined);
      for (const [{ place, epoch }, { lose }] of [...this.#held]) {
        if (!(await this.#isHeld(place, epoch).catch(() => true))) lose();
      }
    }
  }
}

/** Says that this process is at work. */
export async function giveSignOfLife({ broker, name, owner }: NatsContext): Promise<void> {
  await broker.js.publish(`${name}.beat.${owner.token}`, "");
}

/** Changes as long as the owner is at work; nothing when it never gave a sign of life. */
export async function beatOf({ broker, name }: NatsContext, token: string): Promise<number | undefined> {
  const found = await lastMessage(broker, { stream: beatStreamOf(name), subject: `${name}.beat.${token}` });
  return found?.sequence;
}

/** How a subject is marked. */
interface Marking {
  readonly place: RunPlace;
  readonly name: "events" | "checkpoints";
  readonly epoch: number;
  subjectOf(name: RunSubject, behind: number): FencedSubject;
}

/** Writes the mark of an epoch. Rejects with `Overtaken` when there is one of a later epoch. */
async function markSubject({ broker }: NatsContext, marking: Marking): Promise<FencedLog> {
  const { place, name, epoch, subjectOf } = marking;
  for (;;) {
    const before = await lastMessage(broker, { stream: place.stream, subject: place[name] });
    if (numberIn(before, HEADERS.epoch) > epoch) throw new Overtaken();
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
      // The writer before was at work until now: look again.
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}
