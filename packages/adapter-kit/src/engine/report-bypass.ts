import type { Host, Usage } from "@switchyard/contracts";
import { findUnmeasuredUsage, type ModelAccess } from "@switchyard/engine";
import type { EventPublisher } from "./event-publisher.ts";

/**
 * Reports usage that a model gateway did not measure, with a warning. Does nothing unless the run's model calls should
 * go through one. If the agent reports more tokens than the gateway measured, it called models at another address. The
 * run's usage and budget then include the difference, as the agent reported it. `access` is already closed. Rejects if a
 * budget is used up.
 */
export async function reportBypass(
  access: ModelAccess | undefined,
  used: Usage,
  { host, events }: { readonly host: Host; readonly events: EventPublisher },
): Promise<void> {
  const found = findUnmeasuredUsage(access, used);
  if (found === undefined) return;
  const { usage, message } = found;
  events.publish("warning", { kind: "model_access", message });
  events.publish("usage_reported", { usage });
  await events.settled();
  await host.reportUsage(usage);
}
