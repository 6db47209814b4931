import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { EmptyState } from "../controls/empty-state.tsx";
import { Problem } from "../controls/problem.tsx";
import { usePolling } from "../controls/use-polling.ts";
import { useSession } from "../session/session.ts";
import { hrefOfComparison, hrefOfRuns } from "../text/href.ts";
import { FilterBar } from "./filter-bar.tsx";
import { RunTable } from "./run-table.tsx";
import { EMPTY_QUERY, formatRunsQuery, isFiltered, type RunsQuery, rangeOf, toListOptions } from "./runs-query.ts";

/** Interval at which the names of engines and callers are reloaded, in milliseconds. */
const NAMES_MS = 60_000;

/**
 * Adds a run to the selection for comparison, or removes it. At most two runs are selected; a third one replaces the
 * first.
 */
function choose(chosen: readonly string[], runId: string): readonly string[] {
  return chosen.includes(runId) ? chosen.filter((other) => other !== runId) : [...chosen, runId].slice(-2);
}

function Comparison({ chosen }: { chosen: readonly string[] }): JSX.Element {
  const [left, right] = chosen;
  if (left !== undefined && right !== undefined) {
    return (
      <a class="button" href={hrefOfComparison(left, right)}>
        Compare the two chosen
      </a>
    );
  }
  return <span class="faint hideable">{left === undefined ? "" : "Choose one more run to compare"}</span>;
}

function NoRuns({ query, onNew }: { query: RunsQuery; onNew: () => void }): JSX.Element {
  if (isFiltered(query)) {
    return (
      <EmptyState title="No run matches these filters.">
        <a class="button" href={hrefOfRuns(EMPTY_QUERY)}>
          Clear all filters
        </a>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="There are no runs yet.">
      <p>A run is one task for the agent. Start one here, or send it to the API with POST /v1/runs.</p>
      <button type="button" class="primary" onClick={onNew}>
        Start the first run
      </button>
    </EmptyState>
  );
}

interface PagerProps {
  readonly query: RunsQuery;
  readonly next: string | undefined;
  readonly range: string;
}

/** Links to the other pages. The cursors of the visited pages are remembered, so that the previous page has a link. */
function Pager({ query, next, range }: PagerProps): JSX.Element {
  const visited = useRef(new Map<number, string>());
  visited.current.set(query.page, query.cursor);
  const before = query.page === 2 ? "" : visited.current.get(query.page - 1);
  return (
    <nav class="row pager" aria-label="Pages">
      <span class="faint" role="status">
        {range}
      </span>
      <span class="grow" />
      {query.page > 2 && <a href={hrefOfRuns({ ...query, page: 1, cursor: "" })}>First page</a>}
      {query.page > 1 && before !== undefined && (
        <a class="button" href={hrefOfRuns({ ...query, page: query.page - 1, cursor: before })}>
          ← Previous
        </a>
      )}
      {next !== undefined && (
        <a class="button" href={hrefOfRuns({ ...query, page: query.page + 1, cursor: next })}>
          Next →
        </a>
      )}
    </nav>
  );
}

/** List of runs with search, filters, sorting and pages. Their state is in the URL. */
export function RunsView({ query, onNew }: { query: RunsQuery; onNew: () => void }): JSX.Element {
  const { runs } = useSession().connection.client;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const key = formatRunsQuery(query);
  const list = usePolling(key, (signal) => runs.list({ ...toListOptions(query, Date.now()), signal }));
  const names = usePolling("names", (signal) => runs.statistics({ since: tomorrow(), signal }), NAMES_MS);
  const current = useRef(query);
  useEffect(() => {
    current.current = query;
  }, [query]);
  const change = useCallback((changes: Partial<RunsQuery>): void => {
    const changed = { ...current.current, page: 1, cursor: "", ...changes };
    current.current = changed;
    // Typing replaces the entry of the browser's history, so that Back leaves the list at once.
    if (changes.search === undefined) location.hash = hrefOfRuns(changed);
    else location.replace(hrefOfRuns(changed));
  }, []);
  const { data, problem } = list;
  return (
    <>
      <div class="row head">
        <h1 tabIndex={-1}>Runs</h1>
        <span class="grow" />
        <Comparison chosen={chosen} />
      </div>
      <FilterBar query={query} known={names.data} onChange={change} />
      <Problem text={problem} />
      {data === undefined && problem === "" && <p class="empty">Loading…</p>}
      {data?.runs.length === 0 && <NoRuns query={query} onNew={onNew} />}
      {data !== undefined && data.runs.length > 0 && (
        <>
          <RunTable
            runs={data.runs}
            sort={query.sort}
            onSort={(sort) => change({ sort })}
            chosen={chosen}
            onChoose={(runId) => setChosen(choose(chosen, runId))}
          />
          <Pager query={query} next={data.next_cursor} range={rangeOf(query, data.runs.length, data.total)} />
        </>
      )}
    </>
  );
}

/** A time after which no run was accepted, because only the names are wanted and no rows. */
function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString();
}
