import { randomUUID } from "node:crypto";
import { FencedSubject } from "../broker/fenced-subject.ts";
import { lastMessage } from "../broker/stored-message.ts";
import { sendHeartbeat } from "../run/lease-registry.ts";
import { heartbeatStreamOf, type NatsContext } from "../run/run-location.ts";

/** Number of times that the leader's lease is checked before a silent leader is replaced. */
const CHECKS_PER_LEASE = 4;

/**
 * Waits until the leader's lease is free and takes it. Resolves with a signal that aborts when the lease is lost, or
 * with `undefined` if `signal` aborts first. The lease is a message that the leader replaces regularly. Another process
 * takes the lease if the message has not changed for `leaseMs`.
 */
export async function lead(context: NatsContext, signal: AbortSignal): Promise<AbortSignal | undefined> {
  const { broker, name, leaseMs, owner } = context;
  const place = { stream: heartbeatStreamOf(name), subject: `${name}.beat.leader` };
  const pause = (): Promise<void> =>
    broker.timer.sleep(leaseMs / CHECKS_PER_LEASE, { signal, isBackground: true }).catch(() => undefined);
  let [seen, looks] = [-1, 0];
  while (!signal.aborted) {
    // Opens the stream of heartbeats again if the broker was restarted.
    await sendHeartbeat(context).catch(() => undefined);
    const last = await lastMessage(broker, place).catch(() => undefined);
    const sequence = last?.sequence ?? 0;
    looks = sequence === seen ? looks + 1 : 0;
    seen = sequence;
    const isFree = last === undefined || last.data.length === 0 || looks > CHECKS_PER_LEASE;
    const subject = new FencedSubject(broker, {
      ...place,
      path: place.subject,
      writerId: randomUUID(),
      last: sequence,
    });
    const entry = { data: owner.token, headers: {} };
    if (isFree && (await subject.append(entry).catch(() => undefined)) !== undefined) {
      return renew(context, { subject, data: owner.token, signal });
    }
    await pause();
  }
  return undefined;
}

/**
 * Renews the lease until the signal aborts. The returned signal aborts when the lease is lost or released, also while a
 * write waits for a broker that does not respond.
 */
function renew(
  { broker, leaseMs }: NatsContext,
  { subject, data, signal }: { subject: FencedSubject; data: string; signal: AbortSignal },
): AbortSignal {
  const { timer } = broker;
  const lost = new AbortController();
  let written: Promise<unknown> = Promise.resolve();
  /** Resolves with whether the lease was renewed before it expired. */
  const isRenewed = async (sinceMs: number): Promise<boolean> => {
    written = subject.append({ data, headers: {} });
    const stop = new AbortController();
    const leftMs = Math.max(0, leaseMs - (timer.monotonic() - sinceMs));
    const expired = timer.sleep(leftMs, { signal: stop.signal, isBackground: true }).catch(() => undefined);
    try {
      return await Promise.race([written.then(() => true), expired.then(() => false)]);
    } finally {
      stop.abort();
    }
  };
  const run = async (): Promise<void> => {
    for (let renewedMs = timer.monotonic(); !signal.aborted; ) {
      await timer.sleep(leaseMs / CHECKS_PER_LEASE, { signal, isBackground: true }).catch(() => undefined);
      if (signal.aborted) return;
      const startedMs = timer.monotonic();
      if (!(await isRenewed(renewedMs))) return;
      renewedMs = startedMs;
    }
  };
  const end = async (): Promise<void> => {
    await run().catch(() => undefined);
    lost.abort();
    // Only one write at a time is allowed.
    await written.catch(() => undefined);
    // An empty message tells the other servers that the lease is free.
    if (signal.aborted) await subject.append({ data: "", headers: {} });
  };
  end().catch(() => undefined);
  return lost.signal;
}
