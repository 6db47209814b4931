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

/** Renews the lease until the signal aborts. The returned signal aborts when the lease is lost or released. */
function renew(
  { broker, leaseMs }: NatsContext,
  { subject, data, signal }: { subject: FencedSubject; data: string; signal: AbortSignal },
): AbortSignal {
  const lost = new AbortController();
  const run = async (): Promise<void> => {
    let renewedMs = broker.timer.monotonic();
    while (!signal.aborted && broker.timer.monotonic() - renewedMs < leaseMs) {
      await broker.timer.sleep(leaseMs / CHECKS_PER_LEASE, { signal, isBackground: true }).catch(() => undefined);
      if (signal.aborted) break;
      await subject.append({ data, headers: {} });
      renewedMs = broker.timer.monotonic();
    }
  };
  const end = async (): Promise<void> => {
    await run().catch(() => undefined);
    lost.abort();
    // An empty message tells the other servers that the lease is free.
    if (signal.aborted) await subject.append({ data: "", headers: {} });
  };
  end().catch(() => undefined);
  return lost.signal;
}
