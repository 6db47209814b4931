import type { RunEvents } from "../host/run-events.ts";
import type { SessionPlan } from "./session-plan.ts";

/** Maximum number of events about network requests in one attempt. A warning reports that there were more. */
const MAX_EVENTS = 1000;

/**
 * Publishes the decisions of the environment's proxy as events of the run, until the attempt ends. A process in the
 * environment could send endless requests, so the number of events is limited.
 */
export function reportNetworkRequests({ requests }: SessionPlan, events: RunEvents): void {
  let count = 0;
  requests?.listen((request) => {
    if (events.isClosed) return;
    count += 1;
    const reported =
      count <= MAX_EVENTS
        ? events.report("network_request_decided", request)
        : events.warnOnce(
            "network_requests",
            `Only the first ${MAX_EVENTS} network requests of the attempt are reported.`,
          );
    // A failed write to the event log stops the run by itself.
    reported.catch(() => undefined);
  });
}
