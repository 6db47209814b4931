import type { GroupName } from "../results/eval-statistics.ts";
import type { StoredTrial } from "./stored-results.ts";

/** Runs of one engine and variant that were not skipped, by case. */
export interface StoredGroup {
  /** Engine and variant. */
  readonly name: GroupName;
  /** Runs by case id. Cases without runs are missing. */
  readonly cases: ReadonlyMap<string, readonly StoredTrial[]>;
}

/** Groups runs by engine and variant, and by case. */
export function storedGroupsOf(trials: readonly StoredTrial[]): StoredGroup[] {
  const groups = new Map<string, { name: GroupName; cases: Map<string, StoredTrial[]> }>();
  for (const trial of trials) {
    const { engine, variant, case_id, outcome } = trial;
    const key = JSON.stringify([engine, variant ?? null]);
    const group = groups.get(key) ?? {
      name: { engine, ...(variant === undefined ? {} : { variant }) },
      cases: new Map<string, StoredTrial[]>(),
    };
    groups.set(key, group);
    if (outcome === "SKIPPED") continue;
    group.cases.set(case_id, [...(group.cases.get(case_id) ?? []), trial]);
  }
  return [...groups.values()];
}
