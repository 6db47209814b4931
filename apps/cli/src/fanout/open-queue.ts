import type { WorkQueue } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";

/** Queue to open, with its options. */
export interface QueueChoice {
  /** URL of the queue, such as `nats://HOST:PORT/NAME`. `NAME` defaults to `switchyard`. */
  readonly url: string;
  /**
   * Time without a heartbeat after which a task is given to another worker, in milliseconds. Default: the queue's
   * default.
   */
  readonly leaseMs?: number | undefined;
}

/** Opens a queue by its URL. Rejects with `config.invalid` or `broker.unreachable`. */
export async function openQueue(context: CommandContext, { url, leaseMs }: QueueChoice): Promise<WorkQueue> {
  const { openNatsWorkQueue, parseBrokerAddress } = await import("@switchyard/stores/nats");
  const broker = parseBrokerAddress(url, context, "--queue");
  return await openNatsWorkQueue({ ...broker, leaseMs });
}
