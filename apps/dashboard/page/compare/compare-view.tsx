import type { RunDetail } from "@switchyard/contracts";
import type { JSX } from "preact";
import { DiffView } from "../changes/diff-view.tsx";
import { filesOfDiff } from "../changes/parse-diff.ts";
import { LongText } from "../controls/long-text.tsx";
import { Problem } from "../controls/problem.tsx";
import { StatusMark } from "../controls/status-mark.tsx";
import { useClock } from "../controls/use-clock.ts";
import { useRun } from "../run/use-run.ts";
import { formatCost, formatCount, spanOf } from "../text/format.ts";
import { hrefOfRun } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";

type Fact = readonly [name: string, of: (run: RunDetail, nowMs: number) => JSX.Element | string];

const FACTS: readonly Fact[] = [
  ["Task", (run) => <a href={hrefOfRun(run.run_id)}>{plainLine(run.title) || "(no task)"}</a>],
  ["State", (run) => <StatusMark status={run.status} />],
  ["Engine", ({ engine }) => plainLine(engine)],
  ["Model", ({ model }) => (model === undefined ? "" : plainLine(model))],
  ["Time", (run, nowMs) => spanOf(run, nowMs)],
  ["Turns", ({ result }) => (result?.turns === undefined ? "" : formatCount(result.turns))],
  ["Tokens in", ({ usage }) => (usage === undefined ? "" : formatCount(usage.input_tokens))],
  ["Tokens out", ({ usage }) => (usage === undefined ? "" : formatCount(usage.output_tokens))],
  ["Cost", ({ usage }) => (usage?.cost_micros === undefined ? "" : formatCost(usage.cost_micros))],
  ["Exit code", ({ result }) => (result === undefined ? "" : String(result.exit_code))],
  ["Files changed", ({ workspace_diff }) => formatCount(filesOfDiff(workspace_diff ?? "").length)],
  ["Artifacts", ({ artifacts }) => formatCount(artifacts?.length ?? 0)],
];

function FactTable({ left, right }: { left: RunDetail; right: RunDetail }): JSX.Element {
  const nowMs = useClock(left.finished_at === undefined || right.finished_at === undefined);
  return (
    <div class="scroller">
      <table class="list compare">
        <thead>
          <tr>
            <td />
            <th scope="col">Left</th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {FACTS.map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{of(left, nowMs)}</td>
              <td>{of(right, nowMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({ run, name }: { run: RunDetail; name: string }): JSX.Element {
  return (
    <section aria-label={name}>
      <h2>{name}: last words</h2>
      <LongText text={run.result?.final_message ?? run.error?.message ?? "(nothing yet)"} />
      <h2>{name}: changes</h2>
      <DiffView diff={run.workspace_diff ?? ""} isOver={run.finished_at !== undefined} />
    </section>
  );
}

/** Side-by-side comparison of two runs. */
export function CompareView(props: { left: string; right: string }): JSX.Element {
  const left = useRun(props.left);
  const right = useRun(props.right);
  return (
    <>
      <p class="crumbs">
        <a href="#/">Runs</a> / comparison
      </p>
      <h1 tabIndex={-1}>Two runs</h1>
      <Problem text={left.problem} />
      <Problem text={right.problem} />
      {left.run !== undefined && right.run !== undefined ? (
        <>
          <FactTable left={left.run} right={right.run} />
          <div class="sides">
            <Side run={left.run} name="Left" />
            <Side run={right.run} name="Right" />
          </div>
        </>
      ) : (
        left.problem === "" && right.problem === "" && <p class="empty">Loading…</p>
      )}
    </>
  );
}
