import { isDeepStrictEqual } from "node:util";
import { jsonValue } from "../failure/error-info.ts";

/** Whether two JSON texts are the arguments of the same call: equal whatever the spacing and the order of their keys. */
export function isSameArguments(left: string, right: string): boolean {
  if (left === right) return true;
  const [one, other] = [jsonValue(left), jsonValue(right)];
  return one !== undefined && other !== undefined && isDeepStrictEqual(one, other);
}
