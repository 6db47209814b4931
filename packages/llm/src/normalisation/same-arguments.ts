import { isDeepStrictEqual } from "node:util";
import { jsonValue } from "../failure/error-info.ts";

/** Returns whether two JSON texts are equal, regardless of spacing and key order. */
export function isSameArguments(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [jsonValue(left), jsonValue(right)];
  return one !== undefined && other !== undefined && isDeepStrictEqual(one, other);
}
