import type { TrialKey, TrialResult } from "../results/trial-result.ts";

/** Progress of an evaluation, from which the time left is estimated. */
export interface TimeLeftParts {
  /** Results of finished trials. */
  readonly finished: readonly Pick<TrialResult, "engine" | "case_id" | "duration_ms">[];
  /** Trials that have not started. */
  readonly waiting: readonly Pick<TrialKey, "engine" | "case_id">[];
  /** Running trials with the time since their start, in milliseconds. */
  readonly running: readonly (Pick<TrialKey, "engine" | "case_id"> & { readonly elapsedMs: number })[];
  /** Maximum number of concurrent sessions. */
  readonly concurrency: number;
}

/**
 * Estimates the time until an evaluation ends, in milliseconds. A trial is expected to take as long as those of the same
 * case and engine, or else of the same engine, or else all trials. `undefined` before the first trial has finished.
 */
export function estimateTimeLeft({ finished, waiting, running, concurrency }: TimeLeftParts): number | undefined {
  const durations = new Map<string, number[]>();
  for (const { engine, case_id, duration_ms } of finished) {
    if (duration_ms === undefined) continue;
    for (const key of keysOf({ engine, case_id })) durations.set(key, [...(durations.get(key) ?? []), duration_ms]);
  }
  if (durations.size === 0) return undefined;
  const expected = (trial: Pick<TrialKey, "engine" | "case_id">): number => {
    const known = keysOf(trial).flatMap((key) => durations.get(key) ?? []);
    const best =
      keysOf(trial)
        .map((key) => durations.get(key))
        .find((list) => list !== undefined) ?? known;
    return best.reduce((sum, ms) => sum + ms, 0) / Math.max(1, best.length);
  };
  const rests = running.map((trial) => Math.max(0, expected(trial) - trial.elapsedMs));
  const total = [...rests, ...waiting.map(expected)].reduce((sum, ms) => sum + ms, 0);
  return Math.max(total / Math.max(1, concurrency), ...rests, 0);
}

/** Returns the keys by which durations are grouped, the most specific first. */
function keysOf({ engine, case_id }: Pick<TrialKey, "engine" | "case_id">): string[] {
  return [JSON.stringify([engine, case_id]), JSON.stringify([engine]), ""];
}
