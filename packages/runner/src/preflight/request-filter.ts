import type { EventPayloads } from "@switchyard/contracts";

/** Decision of an environment's proxy about a network request. */
export type NetworkRequest = EventPayloads["network_request_decided"];

/** Maximum number of reported connections of each kind: first allowed ones, first refused ones, and repeated refusals. */
export const MAX_REPORTED = 1_000;

/** What happens to a decision. `repeated`: an equal decision was reported. `over_limit`: too many were reported. */
type FilterResult = "report" | "repeated" | "over_limit";

/** Selects the decisions that are reported. */
type RequestFilter = (request: NetworkRequest) => FilterResult;

/**
 * Creates a filter for the decisions of one attempt. A process in the environment could send endless requests, so the
 * number of reported decisions is limited. A target (host and port) that was allowed is reported once. Allowed requests
 * and repeated refusals cannot crowd out the first refusal of a target.
 */
export function createRequestFilter(): RequestFilter {
  const allowed = new Set<string>();
  const refused = new Set<string>();
  let repeated = 0;
  return ({ verdict, host, port }) => {
    const target = `${host}:${port ?? ""}`;
    const known = verdict === "allowed" ? allowed : refused;
    if (!known.has(target)) {
      if (known.size >= MAX_REPORTED) return "over_limit";
      known.add(target);
      return "report";
    }
    if (verdict === "allowed") return "repeated";
    repeated += 1;
    return repeated > MAX_REPORTED ? "over_limit" : "report";
  };
}
