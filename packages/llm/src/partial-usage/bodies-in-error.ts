import { causesOf } from "../failure/problem-text.ts";
import { UnstreamedResponse } from "../failure/unstreamed-response.ts";

/** The bodies of responses that could not be used, as their errors carry them. */
export function bodiesInError(error: unknown): readonly unknown[] {
  return causesOf(error).flatMap((cause) => {
    if (cause instanceof UnstreamedResponse) return [cause.body];
    return "responseBody" in cause && typeof cause.responseBody === "string" ? [cause.responseBody] : [];
  });
}
