import { ENGINE_ERRORS } from "./engine-errors.ts";
import type { ErrorClass } from "./error-class.ts";
import { HTTP_STATUS_BY_CLASS } from "./error-class.ts";
import { FOREIGN_ERRORS } from "./foreign-errors.ts";
import { GATEWAY_ERRORS } from "./gateway-errors.ts";
import { MODEL_ERRORS } from "./model-errors.ts";
import { SERVER_ERRORS } from "./server-errors.ts";
import { SURFACE_ERRORS } from "./surface-errors.ts";
import { TOOL_ERRORS } from "./tool-errors.ts";
import { WEB_ERRORS } from "./web-errors.ts";

/** Exit status of the CLI for an error; 0 is success. */
export type ExitCode = 1 | 2 | 3 | 4 | 130;

/** One row of the error table. */
export interface ErrorRow {
  /** Error class, which determines how a host reacts. */
  readonly class: ErrorClass;
  /** True if retrying the same call may succeed. */
  readonly retryable: boolean;
  /** HTTP status of server responses. */
  readonly httpStatus: number;
  /** Exit status of the CLI. */
  readonly exitCode: ExitCode;
  /** What failed, in one sentence. Placeholders such as `{name}` are replaced with the error's detail of that name. */
  readonly message: string;
  /**
   * What to do next, in one sentence. May contain placeholders such as `{name}`, as in the description of the failure.
   */
  readonly remedy: string;
}

/** Error code from the table, in the form `area.problem`. */
export type ErrorCode =
  | keyof typeof SURFACE_ERRORS
  | keyof typeof SERVER_ERRORS
  | keyof typeof ENGINE_ERRORS
  | keyof typeof MODEL_ERRORS
  | keyof typeof GATEWAY_ERRORS
  | keyof typeof TOOL_ERRORS
  | keyof typeof WEB_ERRORS
  | keyof typeof FOREIGN_ERRORS;

/**
 * How an error code deviates from the defaults of its class: `final` and `retry` set retryability, `exit…` the exit
 * status, `http…` the HTTP status.
 */
type Deviation = "final" | "retry" | keyof typeof DEVIATING_EXITS | keyof typeof HTTP_STATUSES;
type Entry = readonly [errorClass: ErrorClass, message: string, remedy: string, ...deviations: Deviation[]];

const DEVIATING_EXITS = { exit1: 1, exit2: 2, exit3: 3, exit4: 4 } as const;
/** HTTP statuses that are more specific than the status of the error's class. */
const HTTP_STATUSES = { http402: 402, http405: 405, http408: 408, http413: 413, http415: 415, http422: 422 } as const;

function isExit(deviation: Deviation): deviation is keyof typeof DEVIATING_EXITS {
  return deviation in DEVIATING_EXITS;
}

function isStatus(deviation: Deviation): deviation is keyof typeof HTTP_STATUSES {
  return deviation in HTTP_STATUSES;
}

function exitCodeOf(errorClass: ErrorClass, deviations: readonly Deviation[]): ExitCode {
  const deviation = deviations.find(isExit);
  if (deviation !== undefined) return DEVIATING_EXITS[deviation];
  if (errorClass === "interrupted" || errorClass === "aborted") return 130;
  return errorClass === "validation" ? 2 : 3;
}

function isRetryable(errorClass: ErrorClass, deviations: readonly Deviation[]): boolean {
  if (deviations.includes("final")) return false;
  if (deviations.includes("retry")) return true;
  return errorClass === "rate_limit" || errorClass === "timeout" || errorClass === "not_available";
}

function toRow([errorClass, message, remedy, ...deviations]: Entry): ErrorRow {
  const deviation = deviations.find(isStatus);
  return {
    class: errorClass,
    retryable: isRetryable(errorClass, deviations),
    httpStatus: deviation === undefined ? HTTP_STATUS_BY_CLASS[errorClass] : HTTP_STATUSES[deviation],
    exitCode: exitCodeOf(errorClass, deviations),
    message,
    remedy,
  };
}

const ENTRIES: Readonly<Record<ErrorCode, Entry>> = {
  ...SURFACE_ERRORS,
  ...SERVER_ERRORS,
  ...ENGINE_ERRORS,
  ...MODEL_ERRORS,
  ...GATEWAY_ERRORS,
  ...TOOL_ERRORS,
  ...WEB_ERRORS,
  ...FOREIGN_ERRORS,
};

/** Returns true if a text is an error code. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ENTRIES, text);
}

/** All error codes, in table order. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ENTRIES).filter(isErrorCode);

/** Returns the table row of an error code. Throws a `TypeError` for any other text. */
export function errorRow(code: ErrorCode): ErrorRow {
  if (!isErrorCode(code)) throw new TypeError(`${String(code)} is not a code of the error table.`);
  return toRow(ENTRIES[code]);
}
