import type { UsageView as CountedUsage } from "@switchyard/contracts";
import type { JSX } from "preact";
import { ColumnChart } from "../controls/column-chart.tsx";
import { EmptyState } from "../controls/empty-state.tsx";
import { formatCost, formatCount, formatShare } from "../text/format.ts";
import { plainLine } from "../text/plain-text.ts";
import type { AnswerUsage } from "../timeline/entry.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { sumOf } from "./sum-of.ts";

/** Maximum number of bars. If there are more model responses, each bar is the sum of several consecutive ones. */
const MOST_BARS = 120;

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

/** Number of the response, or numbers of the first and the last one. */
function nameOfBar({ from, to }: Bar): string {
  return from === to ? String(from) : `${from}–${to}`;
}

/** Returns the cost up to and including each bar, in millionths of a US dollar. */
function costsSoFar(bars: readonly Bar[]): readonly number[] {
  let sum = 0;
  return bars.map(({ costMicros }) => {
    sum += costMicros;
    return sum;
  });
}

function Charts({ bars, hasCost }: { bars: readonly Bar[]; hasCost: boolean }): JSX.Element {
  const labels = bars.map(nameOfBar);
  const tokens = [
    { name: "input from the cache", values: bars.map(({ cached }) => cached) },
    { name: "other input", values: bars.map(({ input }) => input) },
    { name: "output", values: bars.map(({ output }) => output) },
  ];
  return (
    <div class="charts">
      <ColumnChart
        name="Tokens of each response"
        labels={labels}
        series={tokens}
        format={formatCount}
        isStacked={true}
      />
      {hasCost && (
        <ColumnChart
          name="Cost so far, by response"
          labels={labels}
          series={[{ name: "cost so far", values: costsSoFar(bars) }]}
          format={formatCost}
          isStacked={false}
        />
      )}
    </div>
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
          <Charts bars={bars} hasCost={costMicros !== undefined} />
          <UsageTable usages={usages} />
        </>
      )}
    </section>
  );
}
