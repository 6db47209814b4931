import type { UsageView as CountedUsage } from "@switchyard/contracts";
import type { JSX } from "preact";
import { EmptyState } from "../controls/empty-state.tsx";
import { formatCost, formatCount, formatShare } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";
import type { AnswerUsage } from "../timeline/entry.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { sumOf } from "./sum-of.ts";

const WIDTH = 800;
const HEIGHT = 160;
/** Maximum number of bars. If there are more model responses, each bar is the sum of several consecutive ones. */
const MOST_BARS = 200;
const FEWEST_BARS = 16;

interface Bar {
  readonly from: number;
  readonly to: number;
  /** Input tokens that did not come from the cache. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly costMicros: number;
}

function barsOf(usages: readonly AnswerUsage[]): readonly Bar[] {
  const size = Math.max(1, Math.ceil(usages.length / MOST_BARS));
  const bars: Bar[] = [];
  for (let from = 0; from < usages.length; from += size) {
    const group = usages.slice(from, from + size);
    const total = (amount: (one: AnswerUsage) => number): number => group.reduce((sum, one) => sum + amount(one), 0);
    bars.push({
      from: from + 1,
      to: from + group.length,
      input: total(({ usage }) => usage.inputTokens - (usage.cacheReadTokens ?? 0)),
      cached: total(({ usage }) => usage.cacheReadTokens ?? 0),
      output: total(({ usage }) => usage.outputTokens),
      costMicros: total(({ usage }) => usage.costMicros ?? 0),
    });
  }
  return bars;
}

/** Returns the width of one bar, limited so that a few bars do not fill the chart. */
function stepOf(count: number): number {
  return WIDTH / Math.max(FEWEST_BARS, count);
}

function nameOfBar({ from, to }: Bar): string {
  return from === to ? `Response ${from}` : `Responses ${from} to ${to}`;
}

/** Parts of a bar from bottom to top, with the tokens below each. */
function stackOf({ input, cached, output }: Bar) {
  return [
    { kind: "cached", tokens: cached, below: 0 },
    { kind: "in", tokens: input, below: cached },
    { kind: "out", tokens: output, below: cached + input },
  ] as const;
}

function TokenChart({ bars }: { bars: readonly Bar[] }): JSX.Element {
  const most = Math.max(1, ...bars.map(({ input, cached, output }) => input + cached + output));
  const step = stepOf(bars.length);
  const heightOf = (tokens: number): number => (tokens / most) * HEIGHT;
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Tokens of each response, ${formatCount(most)} at most`}
    >
      {bars.map((bar, index) => (
        <g key={bar.from} transform={`translate(${index * step} 0)`}>
          <title>{`${nameOfBar(bar)}: ${formatCount(bar.input + bar.cached)} in, ${formatCount(bar.cached)} of them cached, ${formatCount(bar.output)} out`}</title>
          {stackOf(bar).map(({ kind, tokens, below }) => (
            <rect
              key={kind}
              class={`bar-${kind}`}
              x={step * 0.1}
              width={step * 0.8}
              y={HEIGHT - heightOf(below + tokens)}
              height={heightOf(tokens)}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

function CostChart({ bars }: { bars: readonly Bar[] }): JSX.Element {
  let sum = 0;
  const sums = bars.map(({ costMicros }) => {
    sum += costMicros;
    return sum;
  });
  const step = stepOf(sums.length);
  const points = sums.map(
    (cost, index) => `${(index + 0.5) * step},${HEIGHT - 4 - (cost / Math.max(1, sum)) * (HEIGHT - 8)}`,
  );
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Cost so far, ${formatCost(sum)} at the end`}
    >
      <polyline class="line" points={points.join(" ")} fill="none" />
    </svg>
  );
}

function cacheText({ cacheReadTokens, inputTokens }: AnswerUsage["usage"]): string {
  if (cacheReadTokens === undefined) return "";
  const share = inputTokens === 0 ? "" : ` (${formatShare(cacheReadTokens / inputTokens)})`;
  return formatCount(cacheReadTokens) + share;
}

function UsageTable({ usages }: { usages: readonly AnswerUsage[] }): JSX.Element {
  return (
    <details>
      <summary>As a table</summary>
      <div class="scroller">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Response</th>
              <th scope="col">Agent</th>
              <th scope="col" class="number">
                Input
              </th>
              <th scope="col" class="number">
                From the cache
              </th>
              <th scope="col" class="number">
                Output
              </th>
              <th scope="col" class="number">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {usages.slice(0, 1_000).map(({ agentId, usage }, index) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>{plainLine(agentId)}</td>
                <td class="number">{formatCount(usage.inputTokens)}</td>
                <td class="number">{cacheText(usage)}</td>
                <td class="number">{formatCount(usage.outputTokens)}</td>
                <td class="number">{usage.costMicros === undefined ? "unknown" : formatCost(usage.costMicros)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface UsageProps {
  readonly timeline: Timeline;
  readonly version: number;
  readonly usage: CountedUsage | undefined;
}

/** Tokens and cost of a run, for each model response. */
export function UsageView({ timeline, usage }: UsageProps): JSX.Element {
  const { usages } = timeline;
  const { tokens, costMicros } = sumOf(usages, usage);
  if (tokens === 0 && usages.length === 0) return <EmptyState title="The engine has not reported any tokens yet." />;
  const bars = barsOf(usages);
  return (
    <section aria-label="Tokens and cost">
      <p>
        {formatCount(tokens)} tokens, {costMicros === undefined ? "cost unknown" : formatCost(costMicros)}
      </p>
      {bars.length > 0 && (
        <>
          <h2>Tokens of each response</h2>
          <p class="legend">
            <span class="key key-cached">input from the cache</span> <span class="key key-in">other input</span>{" "}
            <span class="key key-out">output</span>
          </p>
          <TokenChart bars={bars} />
          {costMicros !== undefined && (
            <>
              <h2>Cost so far</h2>
              <CostChart bars={bars} />
            </>
          )}
          <UsageTable usages={usages} />
        </>
      )}
    </section>
  );
}
