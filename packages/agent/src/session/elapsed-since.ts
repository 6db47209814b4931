/** Milliseconds since a moment; never negative, though wall clocks are set back while things run. D12. */
export function elapsedSince(startedMs: number, now: () => number): number {
  return Math.max(0, now() - startedMs);
}
