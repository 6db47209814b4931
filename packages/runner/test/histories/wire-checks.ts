import { modelRequestProblems, type WireFormat } from "@switchyard/testkit";

/** The three wire formats. */
export type Family = WireFormat;

/** Returns all reasons for which the real API would refuse a request. */
export function problemsOf(family: Family, body: unknown): readonly string[] {
  return modelRequestProblems(family, body);
}
