import { causesOf } from "../failure/problem-text.ts";
import { UnstreamedResponse } from "../failure/unstreamed-response.ts";

/** Returns the bodies of unusable responses that are attached to an error. */
export function bodiesInError(error: unknown): readonly unknown[] {
  return causesOf(error).flatMap((cause) => {
    if (cause instanceof UnstreamedResponse) return [cause.body];
    return "responseBody" in cause && typeof cause.responseBody === "string" ? [cause.responseBody] : [];
  });
}
