import { plural } from "@switchyard/terminal";
import { formatPValue } from "../page/format.ts";
import type { PositionBias, PreferenceResults, PreferenceSummary } from "../results/preference-results.ts";

/** Returns the lines about pairwise comparisons, followed by an empty line. */
export function describePreferences(preferences: PreferenceResults | undefined): string[] {
  if (preferences === undefined || preferences.summaries.length === 0) return [];
  const biased = preferences.position_bias.filter(({ first, second }) => first + second > 0);
  return ["Preferred by the judges:", ...preferences.summaries.map(describePair), ...biased.map(describeBias), ""];
}

function describePair({ left, right, variant, left_wins, right_wins, ties, undecided, p_value }: PreferenceSummary) {
  const where = variant === undefined ? "" : ` (${variant})`;
  const open = undecided === 0 ? "" : `, ${undecided} undecided`;
  return `  ${left} ${left_wins}, ${right} ${right_wins}, ${plural(ties, "tie")}${open}${where}, p-value ${formatPValue(p_value)}`;
}

function describeBias({ model, verdicts, first, second }: PositionBias): string {
  const count = `${first + second} of ${plural(verdicts, "comparison")}`;
  return `  ${model} decided by position in ${count}: first ${first}, second ${second}`;
}
