import type { RunStatus, RunView } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { StatusMark } from "../controls/status-mark.tsx";
import { useClock } from "../controls/use-clock.ts";
import { formatAgo, spanOf } from "../text/format.ts";
import { hrefOfComparison, hrefOfRun } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";
import { NewRun } from "./new-run.tsx";
import { useRuns } from "./use-runs.ts";

const FILTERS: Readonly<Record<string, readonly RunStatus[]>> = {
  All: [],
  Active: ["queued", "running", "awaiting_input"],
  "Asks you": ["awaiting_input"],
  Completed: ["completed"],
  "Not completed": ["failed", "error", "interrupted", "cancelled", "timed_out"],
};

interface ListProps {
  readonly runs: readonly RunView[];
  readonly chosen: readonly string[];
  readonly onChoose: (runId: string) => void;
}

function RunRow({
  run,
  nowMs,
  chosen,
  onChoose,
}: { run: RunView; nowMs: number } & Omit<ListProps, "runs">): JSX.Element {
  const title = plainLine(run.title) || "(no task)";
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose for a comparison: ${title}`}
          checked={chosen.includes(run.run_id)}
          onChange={() => onChoose(run.run_id)}
        />
      </td>
      <td>
        <StatusMark status={run.status} />
      </td>
      <td class="title">
        <a href={hrefOfRun(run.run_id)}>{title}</a>
        {run.parent_run_id !== undefined && <span class="tag">fork</span>}
        {run.attempt > 1 && <span class="tag">attempt {run.attempt}</span>}
      </td>
      <td>{plainLine(run.engine)}</td>
      <td class="hideable">{run.model === undefined ? "" : plainLine(run.model)}</td>
      <td class="number">{spanOf(run, nowMs)}</td>
      <td class="number">
        <time dateTime={run.created_at} title={run.created_at}>
          {formatAgo(run.created_at, nowMs)}
        </time>
      </td>
    </tr>
  );
}

function RunList({ runs, chosen, onChoose }: ListProps): JSX.Element {
  const nowMs = useClock(true);
  return (
    <div class="scroller">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Compare</span>
            </th>
            <th scope="col">State</th>
            <th scope="col">Task</th>
            <th scope="col">Engine</th>
            <th scope="col" class="hideable">
              Model
            </th>
            <th scope="col" class="number">
              Time
            </th>
            <th scope="col" class="number">
              Accepted
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} nowMs={nowMs} chosen={chosen} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FilterProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly words: string;
  readonly onWords: (words: string) => void;
}

function Filters({ name, onName, words, onWords }: FilterProps): JSX.Element {
  return (
    <search class="row" aria-label="Runs">
      <fieldset class="choices">
        <legend class="unseen">State</legend>
        {Object.keys(FILTERS).map((filter) => (
          <button key={filter} type="button" aria-pressed={filter === name} onClick={() => onName(filter)}>
            {filter}
          </button>
        ))}
      </fieldset>
      <input
        type="search"
        aria-label="Words in the task, or an engine"
        placeholder="Words in the task, or an engine"
        value={words}
        onInput={(event) => onWords(event.currentTarget.value)}
      />
    </search>
  );
}

function hasWords({ title, engine, model = "", run_id }: RunView, words: string): boolean {
  const text = `${title} ${engine} ${model} ${run_id}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Adds a run to the selection for comparison, or removes it. At most two runs are selected; a third one replaces the
 * first.
 */
function choose(chosen: readonly string[], runId: string): readonly string[] {
  return chosen.includes(runId) ? chosen.filter((other) => other !== runId) : [...chosen, runId].slice(-2);
}

/** List of runs, with filters. */
export function RunsView(): JSX.Element {
  const [name, setName] = useState("All");
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { runs, hasMore, problem, more } = useRuns({ statuses: FILTERS[name] ?? [], engine: "" });
  const shown = runs?.filter((run) => hasWords(run, words));
  const [left, right] = chosen;
  return (
    <>
      <div class="row">
        <h1 tabIndex={-1}>Runs</h1>
        <span class="grow" />
        {left !== undefined && right !== undefined ? (
          <a class="button" href={hrefOfComparison(left, right)}>
            Compare the two chosen
          </a>
        ) : (
          <span class="faint">
            {left === undefined ? "Choose two runs to compare them" : "Choose one more to compare"}
          </span>
        )}
      </div>
      <NewRun />
      <Filters name={name} onName={setName} words={words} onWords={setWords} />
      <Problem text={problem} />
      {shown === undefined && problem === "" && <p class="empty">Loading…</p>}
      {shown?.length === 0 && (
        <p class="empty">{runs?.length === 0 && name === "All" ? "There is no run yet." : "No run fits."}</p>
      )}
      {shown !== undefined && shown.length > 0 && (
        <RunList runs={shown} chosen={chosen} onChoose={(runId) => setChosen(choose(chosen, runId))} />
      )}
      {hasMore && (
        <button type="button" onClick={more}>
          Show older runs
        </button>
      )}
    </>
  );
}
