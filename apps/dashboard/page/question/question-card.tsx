import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { editsOf, type FileEdit } from "../changes/edit-of.ts";
import { EditView } from "../changes/edit-view.tsx";
import { LongText } from "../controls/long-text.tsx";
import { useClock } from "../controls/use-clock.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { formatSpan } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";
import type { ApprovalSubject, QuestionEntry } from "../timeline/entry.ts";
import { AnswerControls } from "./answer-controls.tsx";
import { useAnswer } from "./use-answer.ts";

function titleOf({ tool, command, folder, agentId }: ApprovalSubject, edits: readonly FileEdit[]): string {
  const who = agentId === undefined ? "The agent" : `The subagent ${plainLine(agentId)}`;
  const where = folder === undefined ? "" : ` in ${plainLine(folder)}`;
  if (command !== undefined) return `${who} wants to run a command${where}`;
  const [edit] = edits;
  if (edit === undefined) return `${who} wants to use the tool ${plainLine(tool)}`;
  return edits.length === 1
    ? `${who} wants to edit ${plainLine(edit.path)}`
    : `${who} wants to edit ${edits.length} files`;
}

function argumentsText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** What a tool call would do: its command, its edits as a diff, or its arguments. */
function Subject({ approval, edits }: { approval: ApprovalSubject; edits: readonly FileEdit[] }): JSX.Element {
  const { command, reason } = approval;
  return (
    <>
      {reason !== undefined && <p class="faint">Why it asks: {plainLine(reason)}</p>}
      {command !== undefined && <LongText text={command} />}
      {edits.length > 0 && <EditView edits={edits} hasPath={edits.length > 1} />}
      {command === undefined && edits.length === 0 && <LongText text={argumentsText(approval.arguments)} />}
    </>
  );
}

/** Open question of a run with the controls to answer it. Asks once, in words. */
export function QuestionCard({ runId, question }: { runId: string; question: QuestionEntry }): JSX.Element {
  const nowMs = useClock(true);
  const answering = useAnswer(runId, question.promptId);
  const { approval } = question;
  const edits = useMemo(() => (approval === undefined ? [] : editsOf(approval.tool, approval.arguments)), [approval]);
  return (
    <section class="dock question" aria-label="Question of the agent">
      <div class="row">
        <div role="alert">
          <h2>{approval === undefined ? "The agent asks you" : titleOf(approval, edits)}</h2>
        </div>
        <span class="grow" />
        <span class="faint">waiting {formatSpan(Math.max(0, nowMs - question.askedMs))}</span>
      </div>
      <div class="asked">
        {approval === undefined ? <Markdown text={question.text} /> : <Subject approval={approval} edits={edits} />}
      </div>
      <AnswerControls id="question" choices={question.choices} {...answering} />
    </section>
  );
}
