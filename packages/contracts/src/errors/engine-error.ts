import type { ErrorClass } from "./error-class.ts";
import type { ErrorCode, ErrorRow } from "./error-table.ts";
import { errorRow } from "./error-table.ts";
import { messageOf } from "./message-of.ts";

/** What is known about one failure; names fill the placeholders of its message. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error as it crosses a process: in results, events and answers of a server. */
export interface WireError {
  /** Code of the error table. */
  code: string;
  /** One of the thirteen classes. */
  class: string;
  /** One sentence. */
  message: string;
  /** What to do next. */
  remedy: string;
  /** Whether the same call may succeed when it is made again. */
  retryable: boolean;
}

// Registered, so that an error of another copy of this package is recognised as well.
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
 * The one error class. Its code names a row of the error table, which gives class, retryability,
 * HTTP status, exit code, message and remedy; the cause is always kept.
 */
export class EngineError extends Error {
  /** Always `EngineError`; tells it apart in logs. */
  override readonly name: string = "EngineError";
  /** Row of the error table. */
  readonly code: ErrorCode;
  /** What is known about the failure. */
  readonly details: ErrorDetails;
  readonly #isFinal: boolean;

  /**
   * Makes the error of a code; details fill the placeholders of its message and remedy. `isFinal` marks a failure that
   * is known not to go away by itself, although most failures of its code may.
   */
  constructor(code: ErrorCode, details: ErrorDetails = {}, options: { cause?: unknown; isFinal?: boolean } = {}) {
    super(fill(errorRow(code).message, details), "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = details;
    this.#isFinal = options.isFinal === true;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** One of the thirteen classes. */
  get class(): ErrorClass {
    return this.row.class;
  }

  /** Whether the same call may succeed when it is made again. */
  get retryable(): boolean {
    return this.row.retryable && !this.#isFinal;
  }

  /** What to do next, one sentence. */
  get remedy(): string {
    return fill(this.row.remedy, this.details);
  }

  /** The whole row of the table. */
  get row(): ErrorRow {
    return errorRow(this.code);
  }

  /** The error as it crosses a process; details and cause stay behind, they may hold paths and secrets. */
  toWire(): WireError {
    const { code, message, remedy, retryable } = this;
    return { code, class: this.class, message, remedy, retryable };
  }

  /** Whether a value is an error of this class (of any copy of the package), optionally with that code. */
  static is(value: unknown, code?: ErrorCode): value is EngineError {
    if (!(value instanceof Error) || !(BRAND in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }
}

/** The first `EngineError` on an error's chain of causes (joined errors included), if there is one. engine: errdefs. */
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

/** Whether an error, or any of its causes, is of a class. engine: errdefs. */
export function hasErrorClass(error: unknown, errorClass: ErrorClass): boolean {
  return findEngineError(error, (found) => found.class === errorClass) !== undefined;
}

/** Any thrown value as an `EngineError`: its own, the first on the chain of causes, or `internal.unexpected`. */
export function toEngineError(error: unknown): EngineError {
  const found = findEngineError(error);
  if (found !== undefined) return found;
  return new EngineError("internal.unexpected", { problem: messageOf(error) }, { cause: error });
}
