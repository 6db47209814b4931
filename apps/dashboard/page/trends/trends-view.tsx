import type { RunStatistics } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { BudgetLine } from "../budget/budget-line.tsx";
import { ColumnChart } from "../controls/column-chart.tsx";
import { EmptyState } from "../controls/empty-state.tsx";
import { Problem } from "../controls/problem.tsx";
import { usePolling } from "../controls/use-polling.ts";
import { EMPTY_QUERY } from "../runs/runs-query.ts";
import { useSession } from "../session/session.ts";
import { formatCost, formatCount, formatShare } from "../text/format.ts";
import { hrefOfRuns } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";
import { costSeries, type EngineTotal, engineTotals, successSeries } from "./series.ts";

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
const PERIODS = [7, 30, 90] as const;
type Days = (typeof PERIODS)[number];

/** Last days in UTC, oldest first. */
function lastDays(count: number, nowMs: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(nowMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function EngineRow({ total }: { total: EngineTotal }): JSX.Element {
  const { engine, runs, completed, ended, totalTokens, costMicros, priced } = total;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOfRuns({ ...EMPTY_QUERY, engine })}>{plainLine(engine)}</a>
      </th>
      <td class="number">{formatCount(runs)}</td>
      <td class="number">{ended === 0 ? "" : formatShare(completed / ended)}</td>
      <td class="number hideable">{formatCount(totalTokens)}</td>
      <td class="number">{priced === 0 ? "unknown" : formatCost(costMicros)}</td>
      <td class="number hideable">{priced === 0 ? "" : formatCost(costMicros / priced)}</td>
    </tr>
  );
}

function Totals({ totals }: { totals: readonly EngineTotal[] }): JSX.Element {
  return (
    <div class="scroller">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Engine</th>
            <th scope="col" class="number">
              Runs
            </th>
            <th scope="col" class="number">
              Completed
            </th>
            <th scope="col" class="number hideable">
              Tokens
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col" class="number hideable">
              Per run
            </th>
          </tr>
        </thead>
        <tbody>
          {totals.map((total) => (
            <EngineRow key={total.engine} total={total} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Charts({ statistics, days }: { statistics: RunStatistics; days: readonly string[] }): JSX.Element {
  const { rows } = statistics;
  // Days without their year, such as 11-28.
  const labels = days.map((day) => day.slice(5));
  return (
    <>
      <Totals totals={engineTotals(rows)} />
      <div class="charts">
        <ColumnChart
          name="Cost per day"
          labels={labels}
          series={costSeries(rows, days)}
          format={formatCost}
          isStacked={true}
        />
        <ColumnChart
          name="Completed runs per day, as a percentage of all ended runs"
          labels={labels}
          series={successSeries(rows, days)}
          format={formatShare}
          isStacked={false}
          most={1}
        />
      </div>
    </>
  );
}

/** Cost and success of runs over time, by engine. */
export function TrendsView(): JSX.Element {
  const { runs } = useSession().connection.client;
  const [count, setCount] = useState<Days>(30);
  const days = lastDays(count, Date.now());
  const since = days[0] ?? "";
  const { data, problem } = usePolling(`trends ${since}`, (signal) => runs.statistics({ since, signal }), REFRESH_MS);
  return (
    <>
      <div class="row head">
        <h1 tabIndex={-1}>Trends</h1>
        <span class="grow" />
        <fieldset class="choices">
          <legend class="unseen">Period</legend>
          {PERIODS.map((period) => (
            <button key={period} type="button" aria-pressed={period === count} onClick={() => setCount(period)}>
              {period} days
            </button>
          ))}
        </fieldset>
      </div>
      <Problem text={problem} />
      {data === undefined && problem === "" && <p class="empty">Loading…</p>}
      {data?.rows.length === 0 && (
        <EmptyState title={`No run was accepted in the last ${count} days.`}>
          <p>Choose a longer period, or start a run.</p>
        </EmptyState>
      )}
      <BudgetLine />
      {data !== undefined && data.rows.length > 0 && <Charts statistics={data} days={days} />}
    </>
  );
}
