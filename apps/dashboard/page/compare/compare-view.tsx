import type { RunDetail } from "@switchyard/contracts";
import type { JSX } from "preact";
import { DiffView } from "../changes/diff-view.tsx";
import { filesOfDiff } from "../changes/parse-diff.ts";
import { Problem } from "../controls/problem.tsx";
import { StatusMark } from "../controls/status-mark.tsx";
import { useClock } from "../controls/use-clock.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { useRun } from "../run/use-run.ts";
import { hrefOfRun, hrefOfRuns } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";
import { compareFiles, compareRuns, type FileVerdict } from "./compare-runs.ts";

interface Sides {
  readonly left: RunDetail;
  readonly right: RunDetail;
}

function FactTable({ left, right }: Sides): JSX.Element {
  const nowMs = useClock(left.finished_at === undefined || right.finished_at === undefined);
  return (
    <div class="scroller">
      <table class="list compare">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Fact</span>
            </th>
            <th scope="col">Left</th>
            <th scope="col">Right</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Task</th>
            {[left, right].map((run) => (
              <td key={run.run_id}>
                <a href={hrefOfRun(run.run_id)}>{plainLine(run.title) || "(no task)"}</a>
              </td>
            ))}
            <td>{left.title === right.title ? <span class="faint">same</span> : <mark>differs</mark>}</td>
          </tr>
          <tr>
            <th scope="row">Status</th>
            <td>
              <StatusMark status={left.status} />
            </td>
            <td>
              <StatusMark status={right.status} />
            </td>
            <td>{left.status === right.status ? <span class="faint">same</span> : <mark>differs</mark>}</td>
          </tr>
          {compareRuns(left, right, nowMs).map(({ name, left: one, right: other, difference }) => (
            <tr key={name} class={difference === undefined ? undefined : "differs"}>
              <th scope="row">{name}</th>
              <td>{plainLine(one)}</td>
              <td>{plainLine(other)}</td>
              <td>{difference === undefined ? <span class="faint">same</span> : <mark>{difference}</mark>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const VERDICTS: Readonly<Record<FileVerdict, string>> = {
  same: "same change",
  different: "different changes",
  left: "only left",
  right: "only right",
};

function Files({ left, right }: Sides): JSX.Element | null {
  const files = compareFiles(filesOfDiff(left.workspace_diff ?? ""), filesOfDiff(right.workspace_diff ?? ""));
  if (files.length === 0) return null;
  return (
    <section aria-label="Files compared">
      <h2>Changed files</h2>
      <ul class="verdicts">
        {files.map(({ path, verdict }) => (
          <li key={path}>
            <code>{plainLine(path)}</code>{" "}
            {verdict === "same" ? <span class="faint">{VERDICTS[verdict]}</span> : <mark>{VERDICTS[verdict]}</mark>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Side({ run, name }: { run: RunDetail; name: string }): JSX.Element {
  return (
    <section aria-label={name}>
      <h2>{name}: final message</h2>
      <Markdown text={run.result?.final_message ?? run.error?.message ?? "(nothing yet)"} />
      <h2>{name}: changes</h2>
      <DiffView diff={run.workspace_diff ?? ""} isOver={run.finished_at !== undefined} name={name} />
    </section>
  );
}

/** Side-by-side comparison of two runs, with the differences marked. */
export function CompareView(props: { left: string; right: string }): JSX.Element {
  const left = useRun(props.left);
  const right = useRun(props.right);
  return (
    <>
      <p class="crumbs">
        <a href={hrefOfRuns()}>Runs</a> / comparison
      </p>
      <h1 tabIndex={-1}>Compare two runs</h1>
      <Problem text={left.problem} />
      <Problem text={right.problem} />
      {left.run !== undefined && right.run !== undefined ? (
        <>
          <FactTable left={left.run} right={right.run} />
          <Files left={left.run} right={right.run} />
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
