import type { EvalGroup } from "../results/eval-results.ts";
import { keyOf, type TrialKey, type TrialResult } from "../results/trial-result.ts";
import { groupName } from "./charts.ts";
import { html, type Markup } from "./markup.ts";
import { OUTCOMES } from "./outcomes.ts";
import { renderScroll } from "./render-scroll.ts";

/** Content of the matrix. */
export interface Matrix {
  /** Columns: engines and variants. */
  readonly groups: readonly Pick<EvalGroup, "engine" | "variant">[];
  /** All trials in planned order, finished or not. */
  readonly planned: readonly TrialKey[];
  /** Results of finished trials. */
  readonly trials: readonly TrialResult[];
  /** Keys (`keyOf`) of running trials. Default: none. */
  readonly running?: ReadonlySet<string> | undefined;
  /** Whether each outcome symbol links to the section of its run. */
  readonly hasLinks: boolean;
}

/** Renders the matrix of cases by engine and variant: one outcome symbol for each run. */
export function renderMatrix(matrix: Matrix): Markup {
  const { groups, planned } = matrix;
  const results = new Map(matrix.trials.map((trial, index) => [keyOf(trial), { trial, index }]));
  const cases = new Map<string, TrialKey[]>();
  for (const key of planned) {
    const known = cases.get(key.case_id);
    if (known === undefined) cases.set(key.case_id, [key]);
    else known.push(key);
  }
  const rows = [...cases].map(([id, keys]) => {
    const cells = groups.map((group) => {
      const own = keys.filter(({ engine, variant }) => engine === group.engine && variant === group.variant);
      return renderCell(own, { matrix, results });
    });
    return html`<tr><th scope="row" dir="auto">${id}</th>${cells}</tr>
`;
  });
  const heads = groups.map((group) => html`<th scope="col" dir="auto">${groupName(group)}</th>`);
  return renderScroll(
    "Cases by engine",
    html`<table class="matrix">
<thead><tr><th scope="col">Case</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table>`,
  );
}

interface CellContext {
  readonly matrix: Matrix;
  readonly results: ReadonlyMap<string, { readonly trial: TrialResult; readonly index: number }>;
}

function renderCell(keys: readonly TrialKey[], { matrix, results }: CellContext): Markup {
  const marks = keys.map((key) => {
    const found = results.get(keyOf(key));
    if (found !== undefined) return renderMark(found.trial, matrix.hasLinks ? found.index : undefined);
    const isRunning = matrix.running?.has(keyOf(key)) === true;
    const [className, symbol, label] = isRunning ? ["running", "…", "running"] : ["waiting", "·", "waiting"];
    return html`<span class="mark ${className}" title="#${key.iteration} ${label}" role="img" aria-label="#${key.iteration} ${label}">${symbol}</span>`;
  });
  const decided = keys.flatMap((key) => {
    const outcome = results.get(keyOf(key))?.trial.outcome;
    return outcome === undefined || outcome === "SKIPPED" ? [] : [outcome];
  });
  const passed = decided.filter((outcome) => outcome === "PASS").length;
  const count =
    keys.length < 2 || decided.length === 0 ? undefined : html`<span class="count">${passed}/${decided.length}</span>`;
  return html`<td class="marks"><div>${marks}${count}</div></td>`;
}

function renderMark(trial: TrialResult, index: number | undefined): Markup {
  const { symbol, className } = OUTCOMES[trial.outcome];
  const reason = trial.reason === undefined || trial.outcome === "PASS" ? "" : `: ${trial.reason}`;
  const label = `#${trial.iteration} ${trial.outcome}${reason}`.slice(0, 300);
  if (index === undefined)
    return html`<span class="mark ${className}" title="${label}" role="img" aria-label="${label}">${symbol}</span>`;
  return html`<a class="mark ${className}" href="#run-${index}" title="${label}" aria-label="${label}">${symbol}</a>`;
}
