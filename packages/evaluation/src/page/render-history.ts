import type { HistoryCell, HistoryEntry } from "../results/eval-history.ts";
import type { GroupName } from "../results/eval-statistics.ts";
import { groupName } from "./charts.ts";
import { formatInstant, formatShare } from "./format.ts";
import { html, type Markup } from "./markup.ts";
import { renderScroll } from "./render-scroll.ts";

/** Maximum number of evaluations that are shown. Only the latest ones are shown. */
const SHOWN = 20;
/** Width of a bar with its gap, and height of a bar, in pixels. */
const [STEP, HEIGHT] = [8, 22];

/**
 * Renders the outcomes of each case in earlier evaluations and, last, in the current one. Cases that never changed are
 * in a collapsed table.
 */
export function renderHistory(entries: readonly HistoryEntry[], groups: readonly GroupName[]): Markup {
  const shown = entries.slice(-SHOWN);
  const current = shown.at(-1)?.cells ?? [];
  const cases = [...new Set(current.map(({ case_id }) => case_id))];
  const changed = cases.filter((id) => groups.some((group) => hasChanged(shown, { ...group, case_id: id })));
  const steady = cases.filter((id) => !changed.includes(id));
  const since = formatInstant(shown[0]?.started_at ?? "");
  const finding =
    changed.length === 0
      ? `no case changed in ${shown.length} evaluations`
      : `${changed.length} of ${cases.length} cases changed in ${shown.length} evaluations`;
  const rest =
    steady.length === 0
      ? undefined
      : html`<details class="more"><summary>${steady.length} unchanged</summary>${renderCases(steady, shown, groups)}</details>`;
  return html`<section id="history"><h2>History <span class="finding">${finding}</span></h2>
${changed.length === 0 ? undefined : renderCases(changed, shown, groups)}${rest}
<p class="legend">Pass rates of the evaluations in this folder since ${since}, the latest at the right. The number is the change since the previous evaluation, in percentage points.</p></section>
`;
}

function renderCases(ids: readonly string[], entries: readonly HistoryEntry[], groups: readonly GroupName[]): Markup {
  const rows = ids.map(
    (case_id) =>
      html`<tr><th scope="row" dir="auto">${case_id}</th>${groups.map((group) => renderStrip(entries, { ...group, case_id }))}</tr>
`,
  );
  return renderScroll(
    "History of cases",
    html`<table class="history">
<thead><tr><th scope="col">Case</th>${groups.map((group) => html`<th scope="col" dir="auto">${groupName(group)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`,
  );
}

type CellName = GroupName & Pick<HistoryCell, "case_id">;

/** Returns the pass rate of a case in each evaluation. `undefined` if it did not run. */
function ratesOf(entries: readonly HistoryEntry[], { case_id, engine, variant }: CellName): (number | undefined)[] {
  return entries.map(({ cells }) => {
    const cell = cells.find((one) => one.case_id === case_id && one.engine === engine && one.variant === variant);
    return cell === undefined ? undefined : cell.passed / cell.runs;
  });
}

function hasChanged(entries: readonly HistoryEntry[], cell: CellName): boolean {
  const known = ratesOf(entries, cell).filter((rate) => rate !== undefined);
  return known.some((rate) => rate !== known[0]);
}

function renderStrip(entries: readonly HistoryEntry[], cell: CellName): Markup {
  const rates = ratesOf(entries, cell);
  const last = rates.at(-1);
  if (last === undefined) return html`<td class="faint">–</td>`;
  const width = rates.length * STEP;
  const bars = rates.map((rate, index) => {
    if (rate === undefined) return undefined;
    const height = Math.max(2, rate * HEIGHT);
    const className = index === rates.length - 1 ? "latest" : "earlier";
    return html`<rect class="${className}" x="${index * STEP}" y="${(HEIGHT - height).toFixed(1)}" width="${STEP - 2}" height="${height.toFixed(1)}" rx="1"/>`;
  });
  const label = rates.map((rate) => formatShare(rate)).join(", ");
  const previous = rates.slice(0, -1).findLast((rate) => rate !== undefined);
  return html`<td><div class="strip"><svg width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}"><line class="tick" x1="0" x2="${width}" y1="${HEIGHT - 0.5}" y2="${HEIGHT - 0.5}"/>${bars}</svg><span class="number">${formatShare(last)}</span>${renderChange(last, previous)}</div></td>`;
}

function renderChange(last: number, previous: number | undefined): Markup | undefined {
  const points = Math.round((last - (previous ?? last)) * 100);
  if (points === 0) return undefined;
  return points > 0
    ? html`<span class="change pass">+${points}</span>`
    : html`<span class="change fail">−${-points}</span>`;
}
