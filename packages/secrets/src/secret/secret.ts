/** What stands in place of a secret, everywhere. custom-engine: masking. */
export const REDACTED = "***REDACTED***";

// Registered, so that a secret of another copy of this package is recognised as well.
const BRAND = Symbol.for("switchyard.secret");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * A value that must not be shown. It prints as `***REDACTED***` in texts, JSON and consoles, and has no property
 * that a copy could take along; only {@link Secret.reveal} gives it away.
 */
export class Secret {
  readonly #value: string;

  /** Wraps a value. */
  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  /** The value itself. Call it where the value is used, and keep the result nowhere. */
  reveal(): string {
    return this.#value;
  }

  /** The marker. */
  toString(): string {
    return REDACTED;
  }

  /** The marker. */
  toJSON(): string {
    return REDACTED;
  }

  /** The marker: also for `+` and template texts. */
  [Symbol.toPrimitive](): string {
    return REDACTED;
  }

  static {
    // Computed names: declared here, because declarations cannot name them.
    Object.defineProperty(Secret.prototype, BRAND, { value: true });
    Object.defineProperty(Secret.prototype, INSPECT, { value: () => REDACTED });
  }
}

/** Wraps a value that must not be shown. Throws a TypeError for anything but a string. */
export function secret(value: string): Secret {
  if (typeof value !== "string")
    throw new TypeError(`A secret is a string, not ${value === null ? "null" : typeof value}.`);
  return new Secret(value);
}

/** Whether a value is a wrapped secret, of this or another copy of the package. */
export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The value of a secret, or the text as it is. Throws a TypeError for anything else, such as a variable that is not set. */
export function revealSecret(value: string | Secret): string {
  if (typeof value === "string") return value;
  if (isSecret(value)) return value.reveal();
  throw new TypeError(`A secret is a string or made by secret(), not ${value === null ? "null" : typeof value}.`);
}
