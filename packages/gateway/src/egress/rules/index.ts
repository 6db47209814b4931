// Exports for users: the rules of an environment's network, without the proxy.

export type { EgressRule } from "./egress-rules.ts";
export { isEgressList, parseEgressRules } from "./egress-rules.ts";
