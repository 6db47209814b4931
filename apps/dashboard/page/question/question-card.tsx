import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { editsOf } from "../changes/edit-of.ts";
import { useClock } from "../controls/use-clock.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { formatSpan } from "../text/format.ts";
import type { QuestionEntry } from "../timeline/entry.ts";
import { AnswerControls } from "./answer-controls.tsx";
import { ApprovalDetails, approvalTitle } from "./approval-details.tsx";
import { useAnswer } from "./use-answer.ts";

/** Open question of a run with the controls to answer it. Asks once, in words. */
export function QuestionCard({ runId, question }: { runId: string; question: QuestionEntry }): JSX.Element {
  const nowMs = useClock(true);
  const answering = useAnswer(runId, question.promptId);
  const { approval } = question;
  const edits = useMemo(() => (approval === undefined ? [] : editsOf(approval.tool, approval.arguments)), [approval]);
  return (
    <section class="dock question" aria-label="Question from the agent">
      <div class="row">
        <div role="alert">
          <h2>{approval === undefined ? "The agent asks you" : approvalTitle(approval, edits)}</h2>
        </div>
        <span class="grow" />
        <span class="faint">waiting {formatSpan(Math.max(0, nowMs - question.askedMs))}</span>
      </div>
      <div class="asked">
        {approval === undefined ? (
          <Markdown text={question.text} />
        ) : (
          <ApprovalDetails approval={approval} edits={edits} />
        )}
      </div>
      <AnswerControls id="question" choices={question.choices} {...answering} />
    </section>
  );
}
