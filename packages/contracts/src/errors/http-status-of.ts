import { findEngineError } from "./engine-error.ts";
import { HTTP_STATUS_BY_CLASS } from "./error-class.ts";

/**
 * The HTTP status a server answers with: 200 without an error, 500 for one that is not classified, else that of its
 * class, or a more exact one that its row has. Of several joined errors the first class in the order of `HTTP_STATUS_BY_CLASS` decides. engine: errdefs.
 */
export function httpStatusOf(error: unknown): number {
  if (error === undefined || error === null) return 200;
  for (const errorClass of Object.keys(HTTP_STATUS_BY_CLASS)) {
    const found = findEngineError(error, (candidate) => candidate.class === errorClass);
    if (found !== undefined) return found.row.httpStatus;
  }
  return 500;
}
