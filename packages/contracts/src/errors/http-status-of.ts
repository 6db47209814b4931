import { findEngineError } from "./engine-error.ts";
import { HTTP_STATUS_BY_CLASS } from "./error-class.ts";

/**
 * Returns the HTTP status for an error: 200 without an error, 500 for an unclassified error, else the status in the
 * error's table row. If several errors are joined, the first class in the order of `HTTP_STATUS_BY_CLASS` decides. See
 * engine: errdefs.
 */
export function httpStatusOf(error: unknown): number {
  if (error === undefined || error === null) return 200;
  for (const errorClass of Object.keys(HTTP_STATUS_BY_CLASS)) {
    const found = findEngineError(error, (candidate) => candidate.class === errorClass);
    if (found !== undefined) return found.row.httpStatus;
  }
  return 500;
}
