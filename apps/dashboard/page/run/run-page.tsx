import { errorText, type RunDetail, type RunStatus, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ArtifactsView } from "../artifacts/artifacts-view.tsx";
import { DiffView } from "../changes/diff-view.tsx";
import { EmptyState } from "../controls/empty-state.tsx";
import { Folded } from "../controls/folded.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Problem } from "../controls/problem.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { QuestionCard } from "../question/question-card.tsx";
import { hrefOfRun, hrefOfRuns, RUN_TABS, type RunTab } from "../text/href.ts";
import { plainText } from "../text/plain-text.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { TimelineView } from "../timeline/timeline-view.tsx";
import { UsageView } from "../usage/usage-view.tsx";
import { RunHeader } from "./run-header.tsx";
import { SteerForm } from "./steer-form.tsx";
import { useRun } from "./use-run.ts";
import { type Liveness, useTimeline } from "./use-timeline.ts";

const TAB_NAMES: Readonly<Record<RunTab, string>> = {
  timeline: "Timeline",
  changes: "Changes",
  artifacts: "Artifacts",
  usage: "Tokens and cost",
  result: "Result",
};

/** Returns whether a status is final, so that no process works on the run. */
function isOver(status: RunStatus): boolean {
  return TERMINAL_RUN_STATUSES.includes(status);
}

function Tabs({ runId, tab }: { runId: string; tab: RunTab }): JSX.Element {
  return (
    <nav class="tabs" aria-label="Parts of the run">
      {RUN_TABS.map((other) => (
        <a key={other} href={hrefOfRun(runId, other)} aria-current={other === tab ? "page" : undefined}>
          {TAB_NAMES[other]}
        </a>
      ))}
    </nav>
  );
}

function ResultView({ run }: { run: RunDetail }): JSX.Element {
  const { result, error, warnings = [] } = run;
  if (result === undefined && error === undefined)
    return <EmptyState title="The result is available when the run ends." />;
  return (
    <>
      {error !== undefined && <Problem text={errorText(error)} />}
      {warnings.map((warning) => (
        <p key={warning} class="notice notice-warning">
          {plainText(warning)}
        </p>
      ))}
      {result !== undefined && (
        <>
          <h2>Final message</h2>
          <Markdown text={result.final_message ?? "(none)"} />
          <Folded summary="Result as JSON">{() => <LongText text={JSON.stringify(result, undefined, 2)} />}</Folded>
        </>
      )}
    </>
  );
}

interface PartProps {
  readonly run: RunDetail;
  readonly tab: RunTab;
  readonly timeline: Timeline;
  readonly version: number;
}

function Part({ run, tab, timeline, version }: PartProps): JSX.Element {
  switch (tab) {
    case "timeline":
      return <TimelineView timeline={timeline} version={version} isOver={isOver(run.status)} />;
    case "changes":
      return <DiffView diff={run.workspace_diff ?? ""} isOver={isOver(run.status)} />;
    case "artifacts":
      return <ArtifactsView runId={run.run_id} isOver={isOver(run.status)} />;
    case "usage":
      return <UsageView timeline={timeline} version={version} usage={run.usage} />;
    case "result":
      return <ResultView run={run} />;
  }
}

const LIVENESS: Readonly<Record<Liveness, string>> = {
  connecting: "Connecting…",
  live: "Live",
  reconnecting: "Connection lost. Reconnecting…",
  over: "",
};

/** Shows the state of the event stream, and announces it to screen readers. */
function LivenessLine({ liveness }: { liveness: Liveness }): JSX.Element {
  return (
    <p class={`liveness liveness-${liveness}`} role="status">
      {LIVENESS[liveness]}
    </p>
  );
}

/** Shows the title of the run in the title of the browser tab. */
function useTitle(run: RunDetail | undefined): void {
  useEffect(() => {
    document.title = run === undefined ? "Switchyard" : `${plainText(run.title).slice(0, 60)} · Switchyard`;
    return () => {
      document.title = "Switchyard";
    };
  }, [run]);
}

/** Shown instead of a run that could not be loaded. */
function MissingRun({ problem }: { problem: string }): JSX.Element {
  return (
    <div class="empty">
      <h1 tabIndex={-1}>This run cannot be shown.</h1>
      <Problem text={problem} />
      <a class="button" href={hrefOfRuns()}>
        All runs
      </a>
    </div>
  );
}

/** Page of one run, updated live. */
export function RunPage({ runId, tab }: { runId: string; tab: RunTab }): JSX.Element {
  const { run, problem, reload } = useRun(runId);
  const [round, setRound] = useState(0);
  const onOver = useCallback(() => reload(), [reload]);
  const watched = useTimeline(runId, round, onOver);
  const { timeline, version, liveness } = watched;
  useTitle(run);
  // Reloads the run when its status in the event stream changes, because the loaded status is then outdated.
  const known = useRef<RunStatus | undefined>(undefined);
  useEffect(() => {
    if (known.current !== timeline.status) reload();
    known.current = timeline.status;
  }, [timeline, version, reload]);
  if (run === undefined) {
    return problem === "" ? <p class="empty">Loading…</p> : <MissingRun problem={problem} />;
  }
  const shown: RunDetail = liveness === "over" ? run : { ...run, status: timeline.status ?? run.status };
  const [question] = isOver(shown.status) ? [] : timeline.openQuestions;
  return (
    <>
      <RunHeader run={shown} timeline={timeline} reload={reload} onResumed={() => setRound(round + 1)} />
      <Problem text={problem === "" ? watched.problem : problem} />
      <LivenessLine liveness={liveness} />
      <Tabs runId={runId} tab={tab} />
      <Part run={shown} tab={tab} timeline={timeline} version={version} />
      {question !== undefined && <QuestionCard key={question.promptId} runId={runId} question={question} />}
      {shown.status === "running" && question === undefined && <SteerForm runId={runId} />}
    </>
  );
}
