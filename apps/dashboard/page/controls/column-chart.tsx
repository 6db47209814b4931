import type { JSX } from "preact";
import { plainLine } from "../text/plain-text.ts";

const WIDTH = 640;
const HEIGHT = 200;
/** Space for the labels of the axes. */
const LEFT = 56;
const BOTTOM = 22;
const TOP = 8;
/** Maximum number of labelled columns. */
const MOST_LABELS = 6;

/** Widest column, so that a few of them do not fill the chart. */
const MAX_COLUMN = 36;

/** Values of one series, one per column. `undefined`: there is no value. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

interface ChartProps {
  readonly name: string;
  /** Names of the columns, such as days, in order. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** True: values of a column are added up, as bars. False: each series is a line. */
  readonly isStacked: boolean;
  /** Greatest value of the axis. Default: a round number that is at least as great as every value. */
  readonly most?: number;
}

function columnTotals({ labels, series }: ChartProps): readonly number[] {
  return labels.map((_, column) => series.reduce((sum, { values }) => sum + (values[column] ?? 0), 0));
}

/** Returns a round number that is at least as great as a value: 1, 2 or 4 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function xOf(column: number, count: number): number {
  return LEFT + ((column + 0.5) / count) * (WIDTH - LEFT);
}

function yOf(value: number, most: number): number {
  return TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
}

function Axes({ labels, most, format }: Pick<ChartProps, "labels" | "format"> & { most: number }): JSX.Element {
  const every = Math.ceil(labels.length / MOST_LABELS);
  return (
    <g class="axes">
      {[0, 0.5, 1].map((part) => (
        <g key={part}>
          <line x1={LEFT} x2={WIDTH} y1={yOf(part * most, most)} y2={yOf(part * most, most)} />
          <text x={LEFT - 6} y={yOf(part * most, most) + 4} text-anchor="end">
            {format(part * most)}
          </text>
        </g>
      ))}
      {labels.map(
        (label, column) =>
          column % every === 0 && (
            <text key={label} x={xOf(column, labels.length)} y={HEIGHT - 6} text-anchor="middle">
              {label}
            </text>
          ),
      )}
    </g>
  );
}

function Bars({ labels, series, format, most }: ChartProps & { most: number }): JSX.Element {
  const width = Math.min(MAX_COLUMN, ((WIDTH - LEFT) / labels.length) * 0.7);
  const below = labels.map(() => 0);
  return (
    <>
      {series.map(({ name, values }, order) =>
        values.map((value = 0, column) => {
          if (value === 0) return null;
          const from = below[column] ?? 0;
          below[column] = from + value;
          const top = yOf(from + value, most);
          return (
            <rect
              key={`${name} ${labels[column]}`}
              class={`series series-${order}`}
              x={xOf(column, labels.length) - width / 2}
              width={width}
              y={top}
              height={yOf(from, most) - top}
            >
              <title>{`${labels[column]}, ${plainLine(name)}: ${format(value)}`}</title>
            </rect>
          );
        }),
      )}
    </>
  );
}

function Lines({ labels, series, format, most }: ChartProps & { most: number }): JSX.Element {
  return (
    <>
      {series.map(({ name, values }, order) => {
        const points = values.flatMap((value, column) =>
          value === undefined ? [] : [{ value, column, x: xOf(column, labels.length), y: yOf(value, most) }],
        );
        return (
          <g key={name} class={`series series-${order}`}>
            <polyline points={points.map(({ x, y }) => `${x},${y}`).join(" ")} />
            {points.map(({ x, y, column, value }) => (
              <circle key={column} cx={x} cy={y} r={3}>
                <title>{`${labels[column]}, ${plainLine(name)}: ${format(value)}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </>
  );
}

function greatestOf(props: ChartProps): number {
  const { series, isStacked, most } = props;
  if (most !== undefined) return most;
  const values = isStacked ? columnTotals(props) : series.flatMap((one) => one.values.map((value = 0) => value));
  return roundUp(Math.max(0, ...values));
}

function summaryOf(props: ChartProps): string {
  const { name, labels, series, format, isStacked } = props;
  const [first = "", last = ""] = [labels[0], labels.at(-1)];
  const names = series.map((one) => plainLine(one.name)).join(", ");
  const most = isStacked ? `, at most ${format(Math.max(...columnTotals(props)))}` : "";
  return `${name}, from ${first} to ${last}${most}. Shown: ${names}.`;
}

/** Chart of one value per column and series, with labelled axes. */
export function ColumnChart(props: ChartProps): JSX.Element {
  const { name, series, isStacked } = props;
  const most = greatestOf(props);
  return (
    <figure class="card">
      <figcaption>{name}</figcaption>
      <svg class="column-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summaryOf(props)}>
        <Axes {...props} most={most} />
        {isStacked ? <Bars {...props} most={most} /> : <Lines {...props} most={most} />}
      </svg>
      <p class="legend">
        {series.map((one, order) => (
          <span key={one.name} class="key-text">
            <span class={`swatch series-${order}`} />
            {plainLine(one.name)}
          </span>
        ))}
      </p>
    </figure>
  );
}
