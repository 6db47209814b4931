import { Component, type JSX } from "preact";
import { Folded } from "../controls/folded.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { choiceName } from "../question/choice-name.ts";
import { formatSpan } from "../text/format.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import type { Entry, MessageEntry, QuestionEntry, SubagentEntry, TurnEntry } from "./entry.ts";
import { gist } from "./gist.ts";
import { ToolView } from "./tool-view.tsx";
import { TurnUsage } from "./turn-usage.tsx";

const SPEAKERS: Readonly<Record<MessageEntry["speaker"], string>> = {
  user: "You",
  steering: "You (while the agent worked)",
  agent: "Agent",
};

function MessageView({ entry }: { entry: MessageEntry }): JSX.Element {
  const { speaker, content, reasoning, isOpen } = entry;
  return (
    <div class={`said said-${speaker}`}>
      <p class="who">
        {SPEAKERS[speaker]}
        {isOpen && <span class="faint">{speaker === "agent" ? " …" : " (not delivered yet)"}</span>}
      </p>
      {reasoning !== "" && (
        <Folded summary={<span class="faint">Reasoning</span>}>{() => <LongText text={reasoning} />}</Folded>
      )}
      {content !== "" &&
        (speaker === "agent" ? <Markdown text={content} /> : <div class="words">{plainText(content)}</div>)}
    </div>
  );
}

/** Question and answer. An open question is shown only in the form that answers it. */
function Question({ entry }: { entry: QuestionEntry }): JSX.Element | null {
  if (entry.answer === undefined) return null;
  return (
    <div class="said said-agent">
      <p class="who">The agent asked</p>
      {entry.approval === undefined ? (
        <Markdown text={entry.text} />
      ) : (
        <p>
          {plainLine(entry.approval.tool)}: <code>{plainLine(gist(entry.approval.arguments)).slice(0, 200)}</code>
        </p>
      )}
      <p class="who">Answer: {plainLine(choiceName(entry.answer))}</p>
    </div>
  );
}

function Subagent({ entry }: { entry: SubagentEntry }): JSX.Element {
  const summary = (
    <span class="call">
      <span class="tool-name">Subagent {plainLine(entry.agentId)}</span>
      <span class="gist">{plainLine(entry.task).slice(0, 200)}</span>
      <span class={`outcome outcome-${entry.status === "completed" ? "done" : entry.status}`}>{entry.status}</span>
    </span>
  );
  return (
    <div class="subagent">
      <Folded summary={summary} isOpen={entry.status === "running"}>
        {() => <EntryList entries={entry.lane.entries} version={entry.version} />}
      </Folded>
    </div>
  );
}

function Turn({ entry }: { entry: TurnEntry }): JSX.Element {
  const { number, startedMs, endedMs, entries, problem, usage, version } = entry;
  return (
    <div class="turn">
      <div class="turn-head">
        <h2>Turn {number}</h2>
        <span class="faint">{endedMs === undefined ? "" : formatSpan(endedMs - startedMs)}</span>
        <span class="grow" />
        {usage !== undefined && <TurnUsage usage={usage} />}
      </div>
      <EntryList entries={entries} version={version} />
      {problem !== undefined && <p class="notice notice-error">{plainText(problem)}</p>}
    </div>
  );
}

function viewOf(entry: Entry): JSX.Element {
  switch (entry.kind) {
    case "message":
      return <MessageView entry={entry} />;
    case "tool":
      return <ToolView entry={entry} />;
    case "question":
      return <Question entry={entry} />;
    case "notice":
      return <p class={`notice notice-${entry.level}`}>{plainText(entry.message)}</p>;
    case "turn":
      return <Turn entry={entry} />;
    case "subagent":
      return <Subagent entry={entry} />;
  }
}

interface RowProps {
  readonly entry: Entry;
  readonly version: number;
}

/**
 * Renders one entry. Rendered again only if the entry has changed, because a timeline may have thousands of entries.
 */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.version !== this.props.version || next.entry !== this.props.entry;
  }

  override render({ entry }: RowProps): JSX.Element {
    return <li>{viewOf(entry)}</li>;
  }
}

/** Renders a list of entries. */
export function EntryList({ entries }: { entries: readonly Entry[]; version: number }): JSX.Element {
  return (
    <ol class="entries">
      {entries.map((entry) => (
        <Row key={entry.key} entry={entry} version={entry.version} />
      ))}
    </ol>
  );
}
