/** Whether a call is what a rule is about; `maybe` if its arguments do not tell. */
export type Fit = "yes" | "maybe" | "no";

/** A fit with the reason for a doubt, in words for a user. */
export interface Finding {
  readonly fit: Fit;
  /** Why the fit is `maybe`. */
  readonly reason?: string | undefined;
}

/** Returns the finding about something that must be all of these. */
export function allOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "no") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "yes" };
}

/** Returns the finding about something that may be any of these. */
export function anyOf(findings: readonly Finding[]): Finding {
  return findings.find(({ fit }) => fit === "yes") ?? findings.find(({ fit }) => fit === "maybe") ?? { fit: "no" };
}
