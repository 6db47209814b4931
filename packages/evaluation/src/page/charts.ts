import type { EvalGroup } from "../results/eval-results.ts";
import type { Interval } from "../statistics/index.ts";
import { formatInterval, formatPoints } from "./format.ts";
import { html, type Markup } from "./markup.ts";

/** Returns the display name of an engine and its variant. */
export function groupName({ engine, variant }: Pick<EvalGroup, "engine" | "variant">): string {
  return variant === undefined ? engine : `${engine} · ${variant}`;
}

/** Size of an interval plot and its margin at both ends, in pixels. */
const PLOT = { width: 160, height: 18, margin: 6 } as const;

/** One measured value with its confidence interval. */
export interface PlottedInterval {
  /** The value. */
  readonly value: number;
  /** Its interval. */
  readonly interval: Interval;
  /** CSS class of the mark that shows the value in the plot. */
  readonly className: string;
}

/** Renders a pass rate and its interval on an axis from 0 to 100 %. */
export function renderRatePlot({ value, interval, className }: PlottedInterval): Markup {
  const x = scaleOf(0, 1);
  const label = `95 % interval ${formatInterval(interval)}`;
  return renderPlot({ x, value, interval, className, label, ticks: [0, 0.5, 1] });
}

/** Renders a difference and its interval on an axis that is symmetric around 0. `reach` is the end of the axis. */
export function renderDifferencePlot({ value, interval, className }: PlottedInterval, reach: number): Markup {
  const x = scaleOf(-reach, reach);
  const label = `95 % interval ${formatPoints(interval.low)} to ${formatPoints(interval.high)} points`;
  return renderPlot({ x, value, interval, className, label, ticks: [0] });
}

/**
 * Returns the end of an axis that is symmetric around 0 and contains these intervals: a multiple of 10 percentage
 * points.
 */
export function reachOf(intervals: readonly Interval[]): number {
  const most = intervals.reduce((far, { low, high }) => Math.max(far, Math.abs(low), Math.abs(high)), 0.1);
  return Math.ceil(most * 10 - 1e-9) / 10;
}

function scaleOf(low: number, high: number): (value: number) => number {
  const { width, margin } = PLOT;
  return (value) => margin + ((value - low) / (high - low)) * (width - 2 * margin);
}

interface DrawnInterval extends PlottedInterval {
  readonly x: (value: number) => number;
  readonly label: string;
  readonly ticks: readonly number[];
}

function renderPlot({ x, value, interval, className, label, ticks }: DrawnInterval): Markup {
  const { width, height } = PLOT;
  const middle = height / 2;
  const [low, high] = [x(interval.low), x(interval.high)];
  const lines = ticks.map(
    (tick) => html`<line class="tick" x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="0" y2="${height}"/>`,
  );
  return html`<svg class="interval-plot ${className}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${lines}<rect x="${low.toFixed(1)}" y="${middle - 1.5}" width="${Math.max(1, high - low).toFixed(1)}" height="3" rx="1.5"/><circle cx="${x(value).toFixed(1)}" cy="${middle}" r="4.5"/></svg>`;
}
