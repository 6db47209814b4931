import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { editsOf } from "../changes/edit-of.ts";
import { EditView } from "../changes/edit-view.tsx";
import { Folded } from "../controls/folded.tsx";
import { LongText } from "../controls/long-text.tsx";
import { formatSpan } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";
import type { ToolEntry } from "./entry.ts";
import { gist } from "./gist.ts";

/** Decision that is not shown, because most calls have it. */
const ALLOWED_BY_RULE = "allowed by rule";

type ToolState = "waiting" | "running" | "cancelled" | "failed" | "done";

function stateOf({ endedMs, isError, isCancelled, waitingSinceMs }: ToolEntry): ToolState {
  if (waitingSinceMs !== undefined) return "waiting";
  if (endedMs === undefined) return "running";
  if (isCancelled) return "cancelled";
  return isError ? "failed" : "done";
}

/** Time for which the tool worked, without waiting for permissions. */
function workedText({ startedMs, endedMs, waitedMs }: ToolEntry): string {
  return endedMs === undefined ? "" : formatSpan(Math.max(0, endedMs - startedMs - waitedMs));
}

function outcomeText(entry: ToolEntry, state: ToolState): string {
  switch (state) {
    case "waiting":
      return "waits for your answer";
    case "running":
      return "running";
    case "done":
      return workedText(entry);
    case "failed":
    case "cancelled":
      return `${state}, ${workedText(entry)}`;
  }
}

function Summary({ entry, state }: { entry: ToolEntry; state: ToolState }): JSX.Element {
  return (
    <span class="call">
      <span class="tool-name">{plainLine(entry.name)}</span>
      <code class="gist">{plainLine(gist(entry.arguments)).slice(0, 200)}</code>
      {entry.decision !== undefined && entry.decision !== ALLOWED_BY_RULE && (
        <span class="tag">{plainLine(entry.decision)}</span>
      )}
      {entry.waitedMs > 0 && <span class="tag">waited {formatSpan(entry.waitedMs)}</span>}
      <span class={`outcome outcome-${state}`}>{outcomeText(entry, state)}</span>
    </span>
  );
}

/** Tool call: what it does in one line, and arguments and output when opened. Edits are shown as diffs, and opened. */
export function ToolView({ entry }: { entry: ToolEntry }): JSX.Element {
  const state = stateOf(entry);
  const edits = useMemo(() => editsOf(entry.name, entry.arguments), [entry]);
  const isEdit = edits.length > 0;
  return (
    <div class={`tool tool-${state}`}>
      <Folded
        summary={<Summary entry={entry} state={state} />}
        isOpen={isEdit && edits.length < 5 && state !== "waiting"}
      >
        {() => (
          <>
            {isEdit ? (
              <EditView edits={edits} hasPath={edits.length > 1} />
            ) : (
              entry.arguments !== "" && <LongText text={prettyArguments(entry.arguments)} />
            )}
            {(!isEdit || entry.isError || entry.isCancelled) && (
              <LongText text={entry.output === "" ? "(no output)" : entry.output} />
            )}
          </>
        )}
      </Folded>
    </div>
  );
}

/** Formats arguments for people: a single text as it is, anything else as indented JSON. */
function prettyArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const values = typeof value === "object" && value !== null ? Object.values(value) : [value];
    const [only] = values;
    return values.length === 1 && typeof only === "string" ? only : JSON.stringify(value, undefined, 2);
  } catch {
    return text;
  }
}
