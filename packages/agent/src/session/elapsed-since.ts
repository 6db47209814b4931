/**
 * Returns the milliseconds since a time. Never negative, although wall clocks may be set back. See durability promise
 * D12.
 */
export function elapsedSince(startedMs: number, now: () => number): number {
  return Math.max(0, now() - startedMs);
}
