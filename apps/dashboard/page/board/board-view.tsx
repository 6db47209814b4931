import type { RunView } from "@switchyard/contracts";
import type { JSX } from "preact";
import { EmptyState } from "../controls/empty-state.tsx";
import { Problem } from "../controls/problem.tsx";
import { useClock } from "../controls/use-clock.ts";
import { usePolling } from "../controls/use-polling.ts";
import { useSession } from "../session/session.ts";
import { BoardCard } from "./board-card.tsx";

/** Maximum number of runs on the board. */
const LIMIT = 200;
/** Interval at which the board is reloaded, in milliseconds. */
const REFRESH_MS = 2_500;

interface Column {
  readonly name: string;
  readonly status: RunView["status"];
  readonly none: string;
}

const COLUMNS: readonly Column[] = [
  { name: "Needs your answer", status: "awaiting_input", none: "No run needs your answer." },
  { name: "Working", status: "running", none: "No run is working." },
  { name: "Queued", status: "queued", none: "No run is queued." },
];

/** Oldest first: the run that has waited longest needs attention first. */
function waitingSince({ activity, started_at, created_at }: RunView): string {
  return activity?.question?.asked_at ?? started_at ?? created_at;
}

/** Live board of all active runs. Runs that need an answer come first, and can be answered here. */
export function BoardView({ onNew }: { onNew: () => void }): JSX.Element {
  const { runs } = useSession().connection.client;
  const { data, problem, reload } = usePolling(
    "board",
    (signal) => runs.list({ status: ["queued", "running", "awaiting_input"], limit: LIMIT, signal }),
    REFRESH_MS,
  );
  const nowMs = useClock(true);
  if (data === undefined) return problem === "" ? <p class="empty">Loading…</p> : <Problem text={problem} />;
  const columns = COLUMNS.map((column) => ({
    ...column,
    runs: data.runs
      .filter(({ status }) => status === column.status)
      .sort((left, right) => (waitingSince(left) < waitingSince(right) ? -1 : 1)),
  }));
  return (
    <>
      <div class="row head">
        <h1 tabIndex={-1}>Board</h1>
        <span class="faint" role="status">
          {data.total === 0 ? "" : `${data.total} active`}
        </span>
      </div>
      <Problem text={problem} />
      {data.total === 0 ? (
        <EmptyState title="No run is active.">
          <p>Active runs appear here as soon as they are accepted. Runs that need an answer come first.</p>
          <button type="button" class="primary" onClick={onNew}>
            New run
          </button>
        </EmptyState>
      ) : (
        <div class="board">
          {columns.map(({ name, status, none, runs: shown }) => (
            <section key={status} class={`column column-${status}`} aria-label={name}>
              <h2>
                {name} <span class="faint">{shown.length}</span>
              </h2>
              {shown.length === 0 && <p class="faint">{none}</p>}
              {shown.map((run) => (
                <BoardCard key={run.run_id} run={run} nowMs={nowMs} onChanged={reload} />
              ))}
            </section>
          ))}
        </div>
      )}
    </>
  );
}
