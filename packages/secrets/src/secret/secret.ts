/** Marker that replaces secrets. See custom-engine: masking. */
export const REDACTED = "***REDACTED***";

// The symbol is in the global registry, so that secrets of another copy of this package are recognised.
const BRAND = Symbol.for("switchyard.secret");
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * A value that must not be shown. It prints as `***REDACTED***` in texts, JSON and consoles, and has no property that
 * could be copied. Only {@link Secret.reveal} returns the value.
 */
export class Secret {
  readonly #value: string;

  /** Wraps a secret value. */
  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  /** Returns the value. Call it where the value is used, and do not store the result. */
  reveal(): string {
    return this.#value;
  }

  /** Returns the redaction marker instead of the value. */
  toString(): string {
    return REDACTED;
  }

  /** Returns the redaction marker instead of the value. */
  toJSON(): string {
    return REDACTED;
  }

  /** Returns the redaction marker instead of the value, also for `+` and template literals. */
  [Symbol.toPrimitive](): string {
    return REDACTED;
  }

  static {
    // Members with computed names are defined here, because `isolatedDeclarations` does not allow them in the class.
    Object.defineProperty(Secret.prototype, BRAND, { value: true });
    Object.defineProperty(Secret.prototype, INSPECT, { value: () => REDACTED });
  }
}

/** Wraps a value that must not be shown. Throws a TypeError for a non-string. */
export function secret(value: string): Secret {
  if (typeof value !== "string")
    throw new TypeError(`A secret is a string, not ${value === null ? "null" : typeof value}.`);
  return new Secret(value);
}

/** Returns whether a value is a wrapped secret, created by this copy of the package or another one. */
export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && value !== null && BRAND in value;
}

/**
 * Returns the value of a wrapped secret, or a text unchanged. Throws a TypeError for any other value, such as
 * `undefined`.
 */
export function revealSecret(value: string | Secret): string {
  if (typeof value === "string") return value;
  if (isSecret(value)) return value.reveal();
  throw new TypeError(`A secret is a string or made by secret(), not ${value === null ? "null" : typeof value}.`);
}
