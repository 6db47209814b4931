import type { RunDetail } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { StatusMark } from "../controls/status-mark.tsx";
import { useClock } from "../controls/use-clock.ts";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";
import { formatCost, formatCount, formatShare, spanOf } from "../text/format.ts";
import { hrefOfRun, hrefOfRuns } from "../text/href.ts";
import { plainLine } from "../text/plain-text.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { cachedTokensOf, sumOf } from "../usage/sum-of.ts";
import { ForkDialog } from "./fork-dialog.tsx";
import { UndoDialog } from "./undo-dialog.tsx";

interface HeaderProps {
  readonly run: RunDetail;
  readonly timeline: Timeline;
  readonly reload: () => void;
  readonly onResumed: () => void;
}

function Facts({ run, timeline }: Pick<HeaderProps, "run" | "timeline">): JSX.Element {
  const nowMs = useClock(run.finished_at === undefined);
  const { tokens, costMicros } = sumOf(timeline.usages, run.usage);
  const cachedTokens = run.usage?.cache_read_tokens ?? cachedTokensOf(timeline.usages);
  const inputTokens = run.usage?.input_tokens ?? timeline.usages.reduce((sum, { usage }) => sum + usage.inputTokens, 0);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Engine", plainLine(run.engine)],
    ["Model", run.model === undefined ? undefined : plainLine(run.model)],
    ["Duration", spanOf(run, nowMs) || undefined],
    ["Tokens", tokens === 0 ? undefined : formatCount(tokens)],
    ["From cache", cachedTokens === 0 || inputTokens === 0 ? undefined : formatShare(cachedTokens / inputTokens)],
    ["Cost", costMicros === undefined ? undefined : formatCost(costMicros)],
    ["Attempt", String(run.attempt)],
    ["Checkpoints", timeline.checkpoints === 0 ? undefined : formatCount(timeline.checkpoints)],
    ["Owner", run.owner === undefined ? undefined : plainLine(run.owner)],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Overlay = "fork" | "undo" | undefined;

function Actions({
  run,
  reload,
  onResumed,
  onProblem,
}: HeaderProps & { onProblem: (text: string) => void }): JSX.Element {
  const { runs } = useSession().connection.client;
  const [overlay, setOverlay] = useState<Overlay>(undefined);
  const act = (action: () => Promise<unknown>): void => {
    onProblem("");
    action().then(reload, (error: unknown) => onProblem(problemText(error)));
  };
  const close = (): void => setOverlay(undefined);
  const { run_id: runId, workspace_diff: diff = "", undone_at: undoneAt } = run;
  const isGoingOn = run.finished_at === undefined;
  return (
    <>
      {isGoingOn && (
        <button
          type="button"
          class="danger"
          onClick={() => act(() => runs.interrupt(runId, { detail: "from the dashboard" }))}
        >
          Interrupt
        </button>
      )}
      {run.resumable && (
        <button type="button" class="primary" onClick={() => act(() => runs.resume(runId).then(onResumed))}>
          Resume
        </button>
      )}
      {!isGoingOn && (
        <button type="button" onClick={() => setOverlay("fork")}>
          Fork…
        </button>
      )}
      {!isGoingOn && diff !== "" && undoneAt === undefined && (
        <button type="button" onClick={() => setOverlay("undo")}>
          Undo…
        </button>
      )}
      {undoneAt !== undefined && <span class="tag">changes undone</span>}
      {overlay === "fork" && <ForkDialog runId={runId} onClose={close} />}
      {overlay === "undo" && <UndoDialog runId={runId} onClose={close} onUndone={reload} />}
    </>
  );
}

/**
 * Reloads a run shortly after its end. Whether the run can be resumed is only known then, because the process that
 * worked on it must first release its lease.
 */
function useLateResumable({ run, reload }: Pick<HeaderProps, "run" | "reload">): void {
  const isDue = !run.resumable && (run.status === "interrupted" || run.status === "timed_out");
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(reload, 500);
    return () => clearTimeout(timer);
  }, [isDue, run, reload]);
}

/** Header of a run's page: title, status and actions. */
export function RunHeader(props: HeaderProps): JSX.Element {
  const { run } = props;
  const [problem, setProblem] = useState("");
  useLateResumable(props);
  return (
    <header class="run-header">
      <p class="crumbs">
        <a href={hrefOfRuns()}>Runs</a> / <code>{plainLine(run.run_id)}</code>
        {run.parent_run_id !== undefined && (
          <>
            {" "}
            forked from <a href={hrefOfRun(run.parent_run_id)}>{plainLine(run.parent_run_id)}</a>
          </>
        )}
      </p>
      <div class="row">
        <h1 tabIndex={-1}>{plainLine(run.title) || "(no task)"}</h1>
        <StatusMark status={run.status} />
        <span class="grow" />
        <Actions {...props} onProblem={setProblem} />
      </div>
      <Problem text={problem} />
      <Facts {...props} />
    </header>
  );
}
