import { cutToWidth } from "@switchyard/terminal";

/** Candidates of the completion that is in progress. */
export interface OpenCompletion {
  /** Texts that can replace the word. */
  readonly candidates: readonly string[];
  /** Index of the chosen candidate; -1 if none is. */
  readonly chosen: number;
}

/** Maximum number of candidates that are shown at once. */
const MAX_ROWS = 6;

/** Renders candidates below the input line. The chosen one is marked and always visible. */
export function renderCandidates(
  { candidates, chosen }: OpenCompletion,
  {
    columns,
    colours,
  }: { readonly columns: number; readonly colours: { cyan(text: string): string; dim(text: string): string } },
): string[] {
  const start = Math.max(0, Math.min(chosen - MAX_ROWS + 1, candidates.length - MAX_ROWS));
  const rows = candidates.slice(start, start + MAX_ROWS).map((candidate, index) => {
    const isChosen = start + index === chosen;
    const text = cutToWidth(`${isChosen ? "›" : " "} ${candidate.trim()}`, columns - 4);
    return isChosen ? colours.cyan(text) : colours.dim(text);
  });
  const more = candidates.length - rows.length;
  return more === 0
    ? rows
    : [...rows, colours.dim(cutToWidth(`  ${more} more; type on to narrow them down`, columns - 4))];
}
