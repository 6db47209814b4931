import type { EgressRule } from "./egress-rules.ts";

/** Result of comparing a target with the rules. */
export type TargetCheck = "allowed" | "host_not_listed" | "port_not_listed";

/** Compares a lower-case host name and a port with the rules. */
export function checkTarget(rules: readonly EgressRule[], host: string, port: number): TargetCheck {
  const ofHost = rules.filter((rule) => (rule.isWildcard ? host.endsWith(`.${rule.host}`) : host === rule.host));
  if (ofHost.length === 0) return "host_not_listed";
  return ofHost.some((rule) => rule.port === port) ? "allowed" : "port_not_listed";
}
