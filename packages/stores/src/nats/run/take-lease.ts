import { randomUUID } from "node:crypto";
import { type AcquireOptions, EngineError } from "@switchyard/contracts";
import { describeOwner } from "@switchyard/process-owner";
import { FencedSubject, WriteConflict } from "../broker/fenced-subject.ts";
import { type AcquiredLease, heartbeatOf, type LeaseRegistry } from "./lease-registry.ts";
import type { NatsContext, RunLocation } from "./run-location.ts";
import { findMeta, leaseEntry, type RunMeta } from "./run-meta.ts";

/** Number of consecutive checks without a new heartbeat after which a lease counts as abandoned. */
const HEARTBEAT_CHECKS = 20;

/** Options for acquiring a lease. */
export interface TakeOptions extends AcquireOptions {
  /** True to fail immediately if the process that holds the lease is alive, instead of waiting for its heartbeat. */
  readonly failFast?: boolean | undefined;
  /** Epoch (number of the newest writer) that the run must have for the lease to be acquired. Default: any. */
  readonly ifEpoch?: number | undefined;
  /** Record and lease of the run, if the caller has already read them. Default: they are read from the broker. */
  readonly known?: RunMeta | undefined;
}

/** An acquired lease, and the run's record as stored by the previous writer. */
export interface Takeover {
  readonly lease: AcquiredLease;
  readonly meta: RunMeta;
}

/**
 * Resolves with true if the holder of a lease is dead or sends no heartbeats. The number of checks decides, not the
 * elapsed time, so that a holder is not declared dead because this machine was asleep.
 */
async function isAbandoned(
  context: NatsContext,
  meta: RunMeta,
  options: TakeOptions & { location: RunLocation },
): Promise<boolean> {
  const token = meta.owner ?? "";
  const beat = await heartbeatOf(context, token);
  for (let look = 0; ; look += 1) {
    const liveness = context.owner.livenessOf(token);
    if (liveness === "dead" || look === HEARTBEAT_CHECKS) return true;
    if (options.failFast === true && liveness === "alive") return false;
    await context.broker.timer.sleep(context.leaseMs / HEARTBEAT_CHECKS, { signal: options.signal });
    const now = await findMeta(context, options.location);
    // Another process has acquired the lease since it was read. The next attempt reads the lease again.
    if (now.message.sequence !== meta.message.sequence && now.owner !== meta.owner) return true;
    if (now.message.sequence !== meta.message.sequence || (await heartbeatOf(context, token)) !== beat) return false;
  }
}

/** Rejects with `run.leased` if another process holds the lease. */
async function assertFree(
  context: NatsContext,
  meta: RunMeta,
  options: TakeOptions & { location: RunLocation },
): Promise<void> {
  const { runId } = options.location;
  if (options.ifEpoch !== undefined && meta.epoch !== options.ifEpoch) {
    throw new EngineError("run.leased", { runId, owner: "started recently" });
  }
  if (meta.owner === undefined || options.takeOver === true) return;
  if (await isAbandoned(context, meta, options)) return;
  throw new EngineError("run.leased", { runId, owner: describeOwner(meta.owner, context.owner) });
}

/**
 * Takes the lease of a run by storing a message. If several processes try, the broker accepts only one message. Rejects
 * with `run.leased`, `run.not_found` or `run.store_failed`. See durability promise D6.
 */
export async function takeLease(
  context: NatsContext,
  location: RunLocation,
  { leases, ...options }: TakeOptions & { readonly leases: LeaseRegistry },
): Promise<Takeover> {
  // If the run has changed since it was read, the broker rejects the message, and the run is read again.
  let { known } = options;
  for (;;) {
    const meta = known ?? (await findMeta(context, location));
    known = undefined;
    await assertFree(context, meta, { ...options, location: location });
    const epoch = meta.epoch + 1;
    const entry = leaseEntry(meta, { epoch, owner: context.owner.token });
    const subject = new FencedSubject(context.broker, {
      stream: location.stream,
      subject: location.meta,
      path: location.path,
      writerId: randomUUID(),
      last: meta.message.sequence,
    });
    // The heartbeat shows other processes that this process is alive.
    await leases.ensureHeartbeat();
    try {
      const last = await subject.append(entry);
      return { lease: { location, epoch, last, isNew: meta.isNew }, meta };
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}
