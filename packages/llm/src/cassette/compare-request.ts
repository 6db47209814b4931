import type { ModelRequest } from "@switchyard/contracts";
import { type RecordedRequest, toRecordedRequest } from "./cassette.ts";
import { type Difference, firstDifference } from "./first-difference.ts";

/** What a comparison of requests needs. */
export interface CompareRequestOptions {
  /** Applied to every text of both sides before they are compared; see `createNormaliser`. */
  normalise?: ((text: string) => string) | undefined;
}

// Who made a message follows from the recording itself.
const IGNORED: ReadonlySet<string> = new Set(["origin"]);

/** The first difference between a recorded request and an actual one, or undefined when they ask the same. */
export function compareRequest(
  recorded: RecordedRequest,
  actual: ModelRequest | RecordedRequest,
  options: CompareRequestOptions = {},
): Difference | undefined {
  return firstDifference(recorded, toRecordedRequest(actual), { ...options, ignore: IGNORED });
}
