/** Whether a rule matches a call. `maybe` if the arguments do not decide it. */
export type Fit = "yes" | "maybe" | "no";

/** A match result, with the reason for a doubt in words for the user. */
export interface Finding {
  readonly fit: Fit;
  /** Why the match is uncertain. */
  readonly reason?: string | undefined;
}

/** Combines findings that must all match: the weakest of them. */
export function allOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "no") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "yes" };
}

/** Combines findings of which any may match: the strongest of them. */
export function anyOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "yes") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "no" };
}
