// The symbol is registered globally, so that errors marked by another copy of this package are recognised.
const MARK = Symbol.for("switchyard.retries-exhausted");

/** Marks a failure whose retries are exhausted at one level, so that the level above does not retry it again. */
export function markRetriesExhausted(error: unknown): void {
  if (error instanceof Error) Reflect.defineProperty(error, MARK, { value: true });
}

/** Returns true if a lower level has exhausted its retries of a failure. Also inspects the causes. */
export function areRetriesExhausted(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let value = error; value instanceof Error && !seen.has(value); value = value.cause) {
    if (MARK in value) return true;
    seen.add(value);
  }
  return false;
}
