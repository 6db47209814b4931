import assert from "node:assert/strict";
import type { Envelope } from "@switchyard/contracts";
import { becomes, settle } from "../contract/expectations.ts";
import { sampleEnvelope } from "../envelope/sample-envelope.ts";
import type { ContractBus, ContractSubscription } from "./contract-bus.ts";

/** Reader of a subscription. */
export interface BusReader {
  /** Ids of the envelopes read so far. */
  readonly ids: readonly string[];
  /** True if the subscription has ended. */
  readonly ended: boolean;
  /** Waits until exactly the given ids were read. Fails if other ids arrive. */
  reads(...ids: readonly string[]): Promise<void>;
  /** Waits for the end of the subscription. */
  ends(): Promise<void>;
}

/** Starts to read a subscription in the background. The reader stops when the subscription ends. */
export function readBus(subscription: ContractSubscription): BusReader {
  const ids: string[] = [];
  let ended = false;
  const read = async (): Promise<void> => {
    for await (const envelope of subscription) ids.push(envelope.id);
    ended = true;
  };
  void read();
  return {
    ids,
    get ended() {
      return ended;
    },
    async reads(...expected) {
      await becomes(
        () => ids.length >= expected.length,
        `Reading ${expected.length} envelopes (got ${ids.join(", ")})`,
      );
      await settle();
      assert.deepEqual(ids, expected);
    },
    ends: () => becomes(() => ended, "The end of a subscription"),
  };
}

/** Resolves with the next envelope of a subscription. `undefined` if the subscription has ended. */
export async function nextOf(iterator: AsyncIterator<Envelope>): Promise<string | undefined> {
  const { done, value } = await iterator.next();
  return done === true ? undefined : value.id;
}

/** Publishes events with the given ids, one after another. */
export async function publishAll(bus: ContractBus, subject: string, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await bus.publish(sampleEnvelope(subject, id));
}
