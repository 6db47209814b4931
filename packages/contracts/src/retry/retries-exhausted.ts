// Registered, so that the mark of another copy of this package is recognised as well.
const MARK = Symbol.for("switchyard.retries-exhausted");

/** Marks a failure that a level has retried to its end, so that the level above does not start over. */
export function markRetriesExhausted(error: unknown): void {
  if (error instanceof Error) Reflect.defineProperty(error, MARK, { value: true });
}

/** Whether a level below has retried a failure to its end. Looks at the causes too. */
export function areRetriesExhausted(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let value = error; value instanceof Error && !seen.has(value); value = value.cause) {
    if (MARK in value) return true;
    seen.add(value);
  }
  return false;
}
