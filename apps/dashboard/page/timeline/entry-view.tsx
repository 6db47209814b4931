import { Component, type ComponentChildren, type JSX } from "preact";
import { useState } from "preact/hooks";
import { LongText } from "../controls/long-text.tsx";
import { formatSpan } from "../text/format.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import type { Entry, QuestionEntry, SaidEntry, SubagentEntry, ToolEntry, TurnEntry } from "./entry.ts";

const SPEAKERS: Readonly<Record<SaidEntry["who"], string>> = {
  user: "You",
  steering: "You, while it worked",
  agent: "Agent",
};

/** Collapsible section whose content is rendered only once it has been opened. */
function Folded({
  summary,
  children,
  isOpen = false,
}: {
  summary: ComponentChildren;
  children: () => ComponentChildren;
  isOpen?: boolean;
}): JSX.Element {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && children()}
    </details>
  );
}

function Said({ entry }: { entry: SaidEntry }): JSX.Element {
  const { who, content, reasoning, isOpen } = entry;
  return (
    <div class={`said said-${who}`}>
      <p class="who">
        {SPEAKERS[who]}
        {isOpen && <span class="faint">{who === "agent" ? " …" : " (not delivered yet)"}</span>}
      </p>
      {reasoning !== "" && (
        <Folded summary={<span class="faint">Reasoning</span>}>{() => <LongText text={reasoning} />}</Folded>
      )}
      {content !== "" && <div class="words">{plainText(content)}</div>}
    </div>
  );
}

/**
 * Returns the most informative argument of a tool call, such as the command or the path. Otherwise returns all
 * arguments.
 */
function gist(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return text;
    const named = Object.entries(value).find(
      ([name, part]) =>
        /^(?:command|cmd|path|file_path|pattern|query|url|task)$/.test(name) && typeof part === "string",
    );
    return named === undefined ? text : String(named[1]);
  } catch {
    return text;
  }
}

function stateOf({ endedMs, isError, isCancelled }: ToolEntry): string {
  if (endedMs === undefined) return "running";
  if (isCancelled) return "cancelled";
  return isError ? "failed" : "done";
}

function Tool({ entry, span }: { entry: ToolEntry; span: Span | undefined }): JSX.Element {
  const state = stateOf(entry);
  const took = entry.endedMs === undefined ? "…" : formatSpan(entry.endedMs - entry.startedMs);
  const summary = (
    <span class="call">
      <span class="tool-name">{plainLine(entry.name)}</span>
      <code class="gist">{plainLine(gist(entry.arguments)).slice(0, 200)}</code>
      {entry.decision !== undefined && <span class="tag">{plainLine(entry.decision)}</span>}
      <span class={`outcome outcome-${state}`}>
        {state === "done" ? took : state === "running" ? "running" : `${state}, ${took}`}
      </span>
    </span>
  );
  return (
    <div class={`tool tool-${state}`}>
      <Folded summary={summary}>
        {() => (
          <>
            {entry.arguments !== "" && <LongText text={entry.arguments} />}
            <LongText text={entry.output === "" ? "(no output)" : entry.output} />
          </>
        )}
      </Folded>
      {span !== undefined && (
        <svg class="span" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect x={span.from} width={span.width} y={0} height={2} />
        </svg>
      )}
    </div>
  );
}

function Question({ entry }: { entry: QuestionEntry }): JSX.Element {
  return (
    <div class="said said-agent">
      <p class="who">The agent asks you</p>
      <div class="words">{plainText(entry.text)}</div>
      <p class="who">
        {entry.answer === undefined ? "Nobody has answered yet." : `Answer: ${plainLine(entry.answer)}`}
      </p>
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

/** Time of a tool call within its turn, in percent of the turn's duration. */
interface Span {
  readonly from: number;
  readonly width: number;
}

function spanOf({ startedMs, endedMs }: ToolEntry, turn: TurnEntry): Span | undefined {
  if (turn.endedMs === undefined || endedMs === undefined || turn.endedMs <= turn.startedMs) return undefined;
  const whole = turn.endedMs - turn.startedMs;
  const from = Math.max(0, ((startedMs - turn.startedMs) / whole) * 100);
  return { from, width: Math.max(0.5, Math.min(100 - from, ((endedMs - startedMs) / whole) * 100)) };
}

function Turn({ entry }: { entry: TurnEntry }): JSX.Element {
  const { number, startedMs, endedMs, entries, problem, version } = entry;
  return (
    <div class="turn">
      <h2>
        Turn {number} <span class="faint">{endedMs === undefined ? "" : formatSpan(endedMs - startedMs)}</span>
      </h2>
      <EntryList entries={entries} version={version} turn={entry} />
      {problem !== undefined && <p class="notice notice-error">{plainText(problem)}</p>}
    </div>
  );
}

function viewOf(entry: Entry, turn: TurnEntry | undefined): JSX.Element {
  switch (entry.kind) {
    case "said":
      return <Said entry={entry} />;
    case "tool":
      return <Tool entry={entry} span={turn === undefined ? undefined : spanOf(entry, turn)} />;
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
  readonly turn: TurnEntry | undefined;
}

/**
 * Renders one entry. Rendered again only if the entry has changed, because a timeline may have thousands of entries.
 */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.version !== this.props.version || next.entry !== this.props.entry;
  }

  override render({ entry, turn }: RowProps): JSX.Element {
    return <li>{viewOf(entry, turn)}</li>;
  }
}

/** Renders a list of entries. */
export function EntryList({
  entries,
  turn,
}: {
  entries: readonly Entry[];
  version: number;
  turn?: TurnEntry | undefined;
}): JSX.Element {
  return (
    <ol class="entries">
      {entries.map((entry) => (
        // The end of a turn counts as a change of its entries, because the positions of calls in the turn are then
        // known.
        <Row
          key={entry.key}
          entry={entry}
          version={entry.version + (turn?.endedMs === undefined ? 0 : 0.5)}
          turn={turn}
        />
      ))}
    </ol>
  );
}
