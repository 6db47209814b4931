import type { WorkQueue } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { parseBrokerAddress } from "../store/broker-address.ts";

/** Which queue, and how it is used. */
export interface QueueChoice {
  /** `nats://HOST:PORT/NAME`; the name is `switchyard` when there is none. */
  readonly url: string;
  /** Milliseconds without a sign of life after which a task goes to another worker; the queue's own by default. */
  readonly leaseMs?: number | undefined;
}

/** Opens the queue of an address. Rejects with `config.invalid` or `broker.unreachable`. */
export async function openQueue(context: CommandContext, { url, leaseMs }: QueueChoice): Promise<WorkQueue> {
  const broker = parseBrokerAddress(context, url, "--queue");
  const { openNatsWorkQueue } = await import("@switchyard/stores/nats");
  return await openNatsWorkQueue({ ...broker, leaseMs });
}
