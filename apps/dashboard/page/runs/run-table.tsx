import type { RunView } from "@switchyard/contracts";
import type { JSX } from "preact";
import { StatusMark } from "../controls/status-mark.tsx";
import { useClock } from "../controls/use-clock.ts";
import { formatAgo, formatCost, formatCount, spanOf } from "../text/format.ts";
import { hrefOfRun } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";
import type { Sort } from "./runs-query.ts";

interface TableProps {
  readonly runs: readonly RunView[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly chosen: readonly string[];
  readonly onChoose: (runId: string) => void;
}

type Column = "duration" | "tokens" | "cost" | "created";
const COLUMNS: readonly (readonly [column: Column, name: string])[] = [
  ["duration", "Duration"],
  ["tokens", "Tokens"],
  ["cost", "Cost"],
  ["created", "Accepted"],
];

function Heading({
  column,
  name,
  sort,
  onSort,
}: Pick<TableProps, "sort" | "onSort"> & { column: Column; name: string }) {
  const order = sort === column ? "ascending" : sort === `-${column}` ? "descending" : "none";
  const next: Sort = order === "descending" ? column : `-${column}`;
  return (
    <th scope="col" class="number hideable" aria-sort={order}>
      <button type="button" class="sort" onClick={() => onSort(next)}>
        {name}
        <span aria-hidden="true">{order === "none" ? "" : order === "ascending" ? " ↑" : " ↓"}</span>
      </button>
    </th>
  );
}

type RowProps = Pick<TableProps, "chosen" | "onChoose"> & { readonly run: RunView; readonly nowMs: number };

function tokensOf({ usage }: RunView): string {
  return usage === undefined || usage.total_tokens === 0 ? "" : formatCount(usage.total_tokens);
}

function costOf({ usage }: RunView): string {
  return usage?.cost_micros === undefined ? "" : formatCost(usage.cost_micros);
}

/** On narrow screens, one line under the title replaces the columns. */
function Meta({ run, nowMs }: Pick<RowProps, "run" | "nowMs">): JSX.Element {
  const parts = [plainLine(run.engine), spanOf(run, nowMs), costOf(run), formatAgo(run.created_at, nowMs)];
  return (
    <span class="meta">
      <StatusMark status={run.status} />
      {parts.filter((part) => part !== "").join(" · ")}
    </span>
  );
}

function Title({ run }: { run: RunView }): JSX.Element {
  return (
    <>
      <a class="run-link" href={hrefOfRun(run.run_id)} data-row-link>
        {plainLine(run.title) || "(no task)"}
      </a>
      {run.parent_run_id !== undefined && <span class="tag">fork</span>}
      {run.attempt > 1 && <span class="tag">attempt {run.attempt}</span>}
    </>
  );
}

function RunRow({ run, nowMs, chosen, onChoose }: RowProps): JSX.Element {
  const isChosen = chosen.includes(run.run_id);
  return (
    <tr class={isChosen ? "chosen" : undefined}>
      <td class="choose">
        <input
          type="checkbox"
          aria-label={`Choose for a comparison: ${plainLine(run.title) || "(no task)"}`}
          checked={isChosen}
          onChange={() => onChoose(run.run_id)}
        />
      </td>
      <td class="state">
        <StatusMark status={run.status} />
      </td>
      <td class="title">
        <Title run={run} />
        <Meta run={run} nowMs={nowMs} />
      </td>
      <td class="hideable">{plainLine(run.engine)}</td>
      <td class="hideable faint model">{run.model === undefined ? "" : plainLine(run.model)}</td>
      <td class="number hideable">{spanOf(run, nowMs)}</td>
      <td class="number hideable">{tokensOf(run)}</td>
      <td class="number hideable">{costOf(run)}</td>
      <td class="number hideable">
        <time dateTime={run.created_at} title={run.created_at}>
          {formatAgo(run.created_at, nowMs)}
        </time>
      </td>
    </tr>
  );
}

/** Table of runs. Columns with numbers sort the list on the server. */
export function RunTable(props: TableProps): JSX.Element {
  const nowMs = useClock(true);
  return (
    <div class="scroller">
      <table class="list runs">
        <thead>
          <tr>
            <th scope="col" class="choose">
              <span class="unseen">Compare</span>
            </th>
            <th scope="col" class="state">
              Status
            </th>
            <th scope="col">Task</th>
            <th scope="col" class="hideable">
              Engine
            </th>
            <th scope="col" class="hideable">
              Model
            </th>
            {COLUMNS.map(([column, name]) => (
              <Heading key={column} column={column} name={name} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {props.runs.map((run) => (
            <RunRow key={run.run_id} run={run} nowMs={nowMs} chosen={props.chosen} onChoose={props.onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
