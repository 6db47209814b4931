const UNITS = [
  { unit: "y", ms: 31_536_000_000 },
  { unit: "w", ms: 604_800_000 },
  { unit: "d", ms: 86_400_000 },
  { unit: "h", ms: 3_600_000 },
  { unit: "m", ms: 60_000 },
] as const;

/** Formats an age in milliseconds as one number with a unit: `45s`, `12m`, `3h`, `2d`, `5w`, `1y`. */
export function formatAge(ageMs: number): string {
  const largest = UNITS.find(({ ms }) => ageMs >= ms);
  if (largest === undefined) return `${Math.max(0, Math.floor(ageMs / 1000))}s`;
  return `${Math.floor(ageMs / largest.ms)}${largest.unit}`;
}
