import type { JSX } from "preact";
import { useClock } from "../controls/use-clock.ts";
import { formatSpan } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";
import { tickStepMs } from "./tick-step.ts";
import type { SpanKind, TimeSpan, TimeSpans } from "./time-spans.ts";

const LANES: readonly (readonly [kind: SpanKind, name: string])[] = [
  ["model", "Model"],
  ["tool", "Tools"],
  ["waiting", "Waiting for you"],
];
/** Fraction of the axis below which neighbouring spans are drawn as one. */
const MERGED = 0.002;

interface Bar {
  readonly from: number;
  to: number;
  label: string;
}

/** Merges spans that are too close to be told apart, so that runs of hours stay cheap to draw. */
function barsOf(spans: readonly TimeSpan[], endMs: number): readonly Bar[] {
  const bars: Bar[] = [];
  for (const { label, startMs, endMs: spanEndMs = endMs } of spans) {
    const [from, to] = [startMs / endMs, Math.max(spanEndMs, startMs) / endMs];
    const last = bars.at(-1);
    if (last !== undefined && from - last.to < MERGED && to - last.from < 10 * MERGED) {
      last.to = Math.max(last.to, to);
      last.label = last.label === label ? label : "Several";
    } else bars.push({ from, to, label });
  }
  return bars;
}

function percent(fraction: number): string {
  return `${Math.max(0, Math.min(100, fraction * 100)).toFixed(3)}%`;
}

function totalOf(spans: readonly TimeSpan[], endMs: number): number {
  return spans.reduce((sum, { startMs, endMs: spanEndMs = endMs }) => sum + Math.max(0, spanEndMs - startMs), 0);
}

interface LaneProps {
  readonly kind: SpanKind;
  readonly name: string;
  readonly spans: readonly TimeSpan[];
  readonly endMs: number;
}

function Lane({ kind, name, spans, endMs }: LaneProps): JSX.Element {
  return (
    <div class="axis-lane">
      <span class="axis-name">
        {name} <span class="faint">{formatSpan(totalOf(spans, endMs))}</span>
      </span>
      <span class="axis-track">
        {barsOf(spans, endMs).map((bar, index) => (
          <span
            key={index}
            class={`axis-bar axis-${kind}`}
            style={{ left: percent(bar.from), width: percent(bar.to - bar.from) }}
            title={`${plainLine(bar.label)}: ${formatSpan((bar.to - bar.from) * endMs)}, from ${formatSpan(bar.from * endMs)}`}
          />
        ))}
      </span>
    </div>
  );
}

function Ticks({ endMs }: { endMs: number }): JSX.Element {
  const stepMs = tickStepMs(endMs);
  const ticks = Array.from({ length: Math.floor(endMs / stepMs) + 1 }, (_, index) => index * stepMs);
  return (
    <div class="axis-lane axis-ticks">
      <span class="axis-name faint">Time since start</span>
      <span class="axis-track">
        {ticks.map((ms) => (
          <span key={ms} class="axis-tick" style={{ left: percent(ms / endMs) }}>
            {ms === 0 ? "0" : formatSpan(ms).replace(/\.0 s| 0 (?:s|min)$/, (zero) => (zero === ".0 s" ? " s" : ""))}
          </span>
        ))}
      </span>
    </div>
  );
}

/** Where the time of a run went: model, tools and waiting for the user, on one labelled axis. */
export function TimeAxis({ time, isOver }: { time: TimeSpans; isOver: boolean }): JSX.Element | null {
  const nowMs = useClock(!isOver);
  if (time.originMs === undefined || time.spans.length === 0) return null;
  const endMs = Math.max(1, isOver ? time.lastMs : Math.max(time.lastMs, nowMs - time.originMs));
  const lanes = LANES.map(([kind, name]) => ({ kind, name, spans: time.spans.filter((span) => span.kind === kind) }));
  const shown = lanes.filter(({ spans }) => spans.length > 0);
  const summary = shown.map(({ name, spans }) => `${name} ${formatSpan(totalOf(spans, endMs))}`).join(", ");
  return (
    <div class="axis card" role="img" aria-label={`Use of time: ${summary}, of ${formatSpan(endMs)}`}>
      {shown.map((lane) => (
        <Lane key={lane.kind} {...lane} endMs={endMs} />
      ))}
      <Ticks endMs={endMs} />
    </div>
  );
}
