import type { WorkQueue } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";

/** Queue to open, with its options. */
export interface QueueChoice {
  /** URL of the queue, such as `nats://HOST:PORT/NAME`. Default of the name: `switchyard`. */
  readonly url: string;
  /**
   * Time without a heartbeat after which a task goes to another worker, in milliseconds. Default: that of the queue.
   */
  readonly leaseMs?: number | undefined;
}

/** Opens a queue by its URL. Rejects with `config.invalid` or `broker.unreachable`. */
export async function openQueue(context: CommandContext, { url, leaseMs }: QueueChoice): Promise<WorkQueue> {
  const { openNatsWorkQueue, parseBrokerAddress } = await import("@switchyard/stores/nats");
  const broker = parseBrokerAddress(url, context, "--queue");
  return await openNatsWorkQueue({ ...broker, leaseMs });
}
