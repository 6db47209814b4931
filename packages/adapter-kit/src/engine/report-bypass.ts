import type { Host, Usage } from "@switchyard/contracts";
import type { ModelAccess } from "@switchyard/engine";
import type { EventPublisher } from "./event-publisher.ts";

/**
 * Reports usage that a model gateway did not measure. Does nothing unless the run's model calls should go through one.
 * If the agent reports tokens, but sent no request to the gateway, it called models at another address. This function
 * then reports the usage `used`, as the agent reported it, so that the run's usage and budget include these tokens.
 * `access` is already closed. Rejects if a budget is used up.
 */
export async function reportBypass(
  access: ModelAccess | undefined,
  used: Usage,
  { host, events }: { readonly host: Host; readonly events: EventPublisher },
): Promise<void> {
  if (access?.measuresUsage !== true || access.requestCount?.() !== 0) return;
  if (used.totalTokens === 0 && (used.costMicros ?? 0) === 0) return;
  const message =
    "The agent sent no request to the model gateway, but reported that it used tokens. It called models at another " +
    "address, so its usage is not measured; the figures that the agent reported are used.";
  events.publish("warning", { kind: "model_access", message });
  events.publish("usage_reported", { usage: used });
  await events.settled();
  await host.reportUsage(used);
}
