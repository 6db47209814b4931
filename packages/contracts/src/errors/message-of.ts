/** What a thrown value says, whatever it is: engines and tools throw texts, nothing at all, and things that cannot be printed. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return "it threw something that cannot be printed";
  }
}
