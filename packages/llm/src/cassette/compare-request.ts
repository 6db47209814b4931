import type { ModelRequest } from "@switchyard/contracts";
import { type RecordedRequest, toRecordedRequest } from "./cassette.ts";
import { type Difference, firstDifference } from "./first-difference.ts";

/** Options for comparing requests. */
export interface CompareRequestOptions {
  /**
   * Function that is applied to every text of the recorded and the actual request before they are compared; see
   * `createNormaliser`.
   */
  normalise?: ((text: string) => string) | undefined;
}

// The field `origin` of messages is ignored, because it follows from the recorded responses.
const IGNORED: ReadonlySet<string> = new Set(["origin"]);

/** Returns the first difference between a recorded and an actual request. `undefined` if they are equal. */
export function compareRequest(
  recorded: RecordedRequest,
  actual: ModelRequest | RecordedRequest,
  options: CompareRequestOptions = {},
): Difference | undefined {
  return firstDifference(recorded, toRecordedRequest(actual), { ...options, ignore: IGNORED });
}
