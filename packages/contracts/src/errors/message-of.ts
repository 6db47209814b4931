/**
 * Returns the message of any thrown value. Third-party code throws strings, `undefined` and objects that cannot be
 * printed.
 */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "it threw something that cannot be printed";
  }
}
