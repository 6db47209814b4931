/** Whether a rule matches a call. `maybe` if the arguments do not determine it. */
export type Fit = "yes" | "maybe" | "no";

/** Match result, with the reason for uncertainty, written for users. */
export interface Finding {
  readonly fit: Fit;
  /** Why the match is uncertain. */
  readonly reason?: string | undefined;
}

/** Combines results of which all must match. */
export function allOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "no") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "yes" };
}

/** Combines results of which any may match. */
export function anyOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "yes") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "no" };
}
