import type { RunEvents } from "../host/run-events.ts";
import { createRequestFilter, MAX_REPORTED } from "../preflight/request-filter.ts";
import type { SessionPlan } from "./session-plan.ts";

/**
 * Publishes the decisions of the environment's proxy as events of the run, until the attempt ends. A warning reports
 * that there were too many decisions.
 */
export function reportNetworkRequests({ requests }: SessionPlan, events: RunEvents): void {
  const filter = createRequestFilter();
  requests?.listen((request) => {
    if (events.isClosed) return;
    const result = filter(request);
    if (result === "repeated") return;
    const reported =
      result === "report"
        ? events.report("network_request_decided", request)
        : events.warnOnce(
            "network_requests",
            `Only the first ${MAX_REPORTED} allowed hosts, refused hosts and repeated refusals of the attempt are reported.`,
          );
    // A failed write to the event log stops the run by itself.
    reported.catch(() => undefined);
  });
}
