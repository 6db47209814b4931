import type { ApprovalRequest, OpenQuestion, RunView } from "@switchyard/contracts";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { editsOf } from "../changes/edit-of.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { AnswerControls } from "../question/answer-controls.tsx";
import { ApprovalDetails, approvalTitle } from "../question/approval-details.tsx";
import { useAnswer } from "../question/use-answer.ts";
import { formatCost, formatCount, formatSpan, spanOf } from "../text/format.ts";
import { hrefOfRun } from "../text/href.ts";
import { plainLine, plainText } from "../text/plain-text.ts";

/** Length up to which a question is shown on the board, in characters. */
const MAX_QUESTION = 400;

/** Tool call that waits for a permission: in words, with its command or its edits as a diff. */
function Approval({ approval }: { approval: ApprovalRequest }): JSX.Element {
  const { tool, arguments: args = "", agent_id: agentId, ...rest } = approval;
  const edits = useMemo(() => editsOf(tool, args), [tool, args]);
  const subject = { ...rest, tool, arguments: args, callId: "", agentId };
  return (
    <div class="asked">
      <p>{approvalTitle(subject, edits)}</p>
      <ApprovalDetails approval={subject} edits={edits} />
    </div>
  );
}

function Question({
  run,
  question,
  onChanged,
}: {
  run: RunView;
  question: OpenQuestion;
  onChanged: () => void;
}): JSX.Element {
  const answering = useAnswer(run.run_id, question.prompt_id, onChanged);
  const text = plainText(question.text);
  return (
    <div class="card-question">
      {question.approval === undefined ? (
        <Markdown text={text.length > MAX_QUESTION ? `${text.slice(0, MAX_QUESTION)}…` : text} />
      ) : (
        <Approval approval={question.approval} />
      )}
      <AnswerControls id={run.run_id} choices={question.choices} {...answering} />
      <a href={hrefOfRun(run.run_id)}>Open the run</a>
    </div>
  );
}

function activityText({ status, activity }: RunView): string {
  if (status === "queued") return "Waits for a free slot.";
  if (activity === undefined) return "Runs in another process.";
  const { turn, doing } = activity;
  return [turn > 0 ? `Turn ${turn}` : "", doing === undefined ? "" : plainLine(doing)].filter(Boolean).join(" · ");
}

/** Times of a run: how long it has waited for an answer, or worked. */
function timeText(run: RunView, nowMs: number): string {
  const { activity, created_at } = run;
  if (activity?.question !== undefined) {
    return `waiting ${formatSpan(Math.max(0, nowMs - Date.parse(activity.question.asked_at)))}`;
  }
  if (run.status === "queued") return `queued ${formatSpan(Math.max(0, nowMs - Date.parse(created_at)))}`;
  return spanOf(run, nowMs);
}

function usageText({ usage }: RunView): string {
  if (usage === undefined || usage.total_tokens === 0) return "";
  const cost = usage.cost_micros === undefined ? "" : ` · ${formatCost(usage.cost_micros)}`;
  return `${formatCount(usage.total_tokens)} tokens${cost}`;
}

interface CardProps {
  readonly run: RunView;
  readonly nowMs: number;
  readonly onChanged: () => void;
}

/** Active run on the board, with its open question if it has one. */
export function BoardCard({ run, nowMs, onChanged }: CardProps): JSX.Element {
  const question = run.activity?.question;
  return (
    <article class="card board-card">
      <div class="card-head">
        <a class="run-link" href={hrefOfRun(run.run_id)}>
          {plainLine(run.title) || "(no task)"}
        </a>
        <span class="number faint">{timeText(run, nowMs)}</span>
      </div>
      {question === undefined ? (
        <p class="doing">{activityText(run)}</p>
      ) : (
        <Question key={question.prompt_id} run={run} question={question} onChanged={onChanged} />
      )}
      <p class="meta">
        {[plainLine(run.engine), run.model === undefined ? "" : plainLine(run.model), usageText(run)]
          .filter((part) => part !== "")
          .join(" · ")}
      </p>
    </article>
  );
}
