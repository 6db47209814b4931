/** Whether a call is what a rule is about; `maybe` where nobody can tell from its arguments. */
export type Fit = "yes" | "maybe" | "no";

/** The fit of something that must be all of these. */
export function allOf(fits: readonly Fit[]): Fit {
  if (fits.includes("no")) return "no";
  return fits.includes("maybe") ? "maybe" : "yes";
}

/** The fit of something that may be any of these. */
export function anyOf(fits: readonly Fit[]): Fit {
  if (fits.includes("yes")) return "yes";
  return fits.includes("maybe") ? "maybe" : "no";
}
