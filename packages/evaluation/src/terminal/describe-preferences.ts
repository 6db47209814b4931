import { renderTable } from "@switchyard/terminal";
import { formatPValue } from "../page/format.ts";
import { type PreferenceFinding, preferenceFindings } from "../page/render-preferences.ts";
import type { PreferenceResults } from "../results/preference-results.ts";

const HEADINGS = ["PREFERRED", "WINS", "TIES", "LOSSES", "UNDECIDED", "P-VALUE", "VERDICT"];

/** Returns a table of pairwise comparisons, followed by an empty line. */
export function describePreferences(preferences: PreferenceResults | undefined): string[] {
  if (preferences === undefined || preferences.summaries.length === 0) return [];
  const rows = preferenceFindings(preferences).map(rowOf);
  return [...renderTable([HEADINGS, ...rows], { omitEmpty: true }), ""];
}

function rowOf({ summary, pValue, verdict }: PreferenceFinding): string[] {
  const { left, right, variant, left_wins, ties, right_wins, undecided } = summary;
  const where = variant === undefined ? "" : ` · ${variant}`;
  const open = undecided === 0 ? "" : String(undecided);
  return [
    `${left} – ${right}${where}`,
    ...[left_wins, ties, right_wins].map(String),
    open,
    formatPValue(pValue),
    verdict,
  ];
}
