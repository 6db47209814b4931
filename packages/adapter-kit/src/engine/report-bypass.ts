import type { Host, Usage } from "@switchyard/contracts";
import type { ModelAccess } from "@switchyard/engine";
import type { EventPublisher } from "./event-publisher.ts";

/**
 * Reports the usage of an agent that sent no request to its access to models, although the agent used tokens: it called
 * models at another address. Otherwise the usage and budget of the run would not contain these tokens. `access` is
 * closed, and `used` is what the agent reported. Rejects if a budget is used up.
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
