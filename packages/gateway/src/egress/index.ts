// Exports for users: the rules and the proxy of an environment's network.

export type { EgressDecision, EgressReason } from "./egress-decision.ts";
export { openListedEnvironment } from "./open-listed-environment.ts";
export type { EgressCredential } from "./proxy/egress-context.ts";
export type { EgressLimits } from "./proxy/egress-limits.ts";
export type { EgressProxy, EgressProxyOptions } from "./proxy/start-egress-proxy.ts";
export { startEgressProxy } from "./proxy/start-egress-proxy.ts";
export type { EgressRule } from "./rules/egress-rules.ts";
export { isEgressList, parseEgressRules } from "./rules/egress-rules.ts";
