import type { ErrorClass } from "./error-class.ts";
import type { ErrorCode, ErrorRow } from "./error-table.ts";
import { errorRow } from "./error-table.ts";
import { messageOf } from "./message-of.ts";

/** Details of a failure, by name. The placeholders of the error message are replaced with these details. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error in results, events and server responses. */
export interface WireError {
  /** Error code from the error table, such as `run.not_found`. */
  code: string;
  /** Error class, one of the thirteen values of `ErrorClass`. */
  class: string;
  /** What failed, in one sentence. */
  message: string;
  /** What to do next. */
  remedy: string;
  /** True if retrying the same call may succeed. */
  retryable: boolean;
}

// The symbol is registered globally, so that errors of another copy of this package are recognised.
const BRAND = Symbol.for("switchyard.engine-error");
const PLACEHOLDER = /\{(\w+)\}/g;

function fill(template: string, details: ErrorDetails): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    const value = details[name];
    if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
    return value === undefined ? `(unknown ${name})` : String(value);
  });
}

/**
 * The only error class. Its code selects a row of the error table: class, retryability, HTTP status, exit code, message
 * and remedy. The cause is always preserved.
 */
export class EngineError extends Error {
  /** Always `EngineError`, for logs. */
  override readonly name: string = "EngineError";
  /** Error code from the error table, such as `run.not_found`. */
  readonly code: ErrorCode;
  /** Details of the failure. */
  readonly details: ErrorDetails;
  readonly #isFinal: boolean;

  /**
   * Creates an error. Details fill the placeholders of its message and remedy. `isFinal` marks a failure as not
   * retryable even if its code is.
   */
  constructor(code: ErrorCode, details: ErrorDetails = {}, options: { cause?: unknown; isFinal?: boolean } = {}) {
    super(fill(errorRow(code).message, details), "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = details;
    this.#isFinal = options.isFinal === true;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Error class, one of the thirteen values of `ErrorClass`. */
  get class(): ErrorClass {
    return this.row.class;
  }

  /** True if retrying the same call may succeed. */
  get retryable(): boolean {
    return this.row.retryable && !this.#isFinal;
  }

  /** Recommended remedy, in one sentence. */
  get remedy(): string {
    return fill(this.row.remedy, this.details);
  }

  /** Row of the error table for this error's code. */
  get row(): ErrorRow {
    return errorRow(this.code);
  }

  /**
   * Returns the error for results, events and responses. Omits details and cause, which may contain paths and secrets.
   */
  toWire(): WireError {
    const { code, message, remedy, retryable } = this;
    return { code, class: this.class, message, remedy, retryable };
  }

  /**
   * Returns true if a value is an `EngineError` of any copy of this package, and, if `code` is given, has that code.
   */
  static is(value: unknown, code?: ErrorCode): value is EngineError {
    if (!(value instanceof Error) || !(BRAND in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }
}

/**
 * Returns the first `EngineError` in an error's chain of causes, joined errors included; `undefined` if there is none.
 * See engine: errdefs.
 */
export function findEngineError(
  error: unknown,
  matches: (found: EngineError) => boolean = () => true,
): EngineError | undefined {
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  for (const value of queue) {
    if (!(value instanceof Error) || seen.has(value)) continue;
    seen.add(value);
    if (EngineError.is(value) && matches(value)) return value;
    if (value instanceof AggregateError) queue.push(...value.errors);
    queue.push(value.cause);
  }
  return undefined;
}

/** Returns true if an error or one of its causes has the given error class. See engine: errdefs. */
export function hasErrorClass(error: unknown, errorClass: ErrorClass): boolean {
  return findEngineError(error, (found) => found.class === errorClass) !== undefined;
}

/**
 * Converts a thrown value to an `EngineError`: the value itself, the first `EngineError` among its causes, or
 * `internal.unexpected`.
 */
export function toEngineError(error: unknown): EngineError {
  const found = findEngineError(error);
  if (found !== undefined) return found;
  return new EngineError("internal.unexpected", { problem: messageOf(error) }, { cause: error });
}
