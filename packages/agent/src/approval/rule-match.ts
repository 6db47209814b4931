/** Whether a rule matches a tool call. `maybe` if the call's arguments do not contain enough information to decide. */
export type MatchResult = "yes" | "maybe" | "no";

/** A match result. If the match is uncertain, includes a reason to show to the user. */
export interface Finding {
  readonly fit: MatchResult;
  /** Why it is uncertain whether the rule matches. */
  readonly reason?: string | undefined;
}

/** Combines match results of conditions that must all be met. Returns the weakest result. */
export function allOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "no") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "yes" };
}

/** Combines match results of conditions of which at least one must be met. Returns the strongest result. */
export function anyOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "yes") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "no" };
}
