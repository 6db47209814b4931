import type { JSX } from "preact";
import type { FileEdit } from "../changes/edit-of.ts";
import { EditView } from "../changes/edit-view.tsx";
import { LongText } from "../controls/long-text.tsx";
import { plainLine } from "../text/plain-text.ts";
import type { ApprovalSubject } from "../timeline/entry.ts";

/** Returns what a tool call would do, as a title. */
export function approvalTitle({ tool, command, folder, agentId }: ApprovalSubject, edits: readonly FileEdit[]): string {
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

interface DetailsProps {
  readonly approval: ApprovalSubject;
  readonly edits: readonly FileEdit[];
}

/** What a tool call would do: its command, its edits as a diff, or its arguments. */
export function ApprovalDetails({ approval, edits }: DetailsProps): JSX.Element {
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
