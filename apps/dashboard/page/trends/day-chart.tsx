import type { JSX } from "preact";
import { plainLine } from "../text/plain-text.ts";
import type { Series } from "./series.ts";

const WIDTH = 640;
const HEIGHT = 200;
/** Space for the labels of the axes. */
const LEFT = 56;
const BOTTOM = 22;
const TOP = 8;
/** Maximum number of labelled days. */
const MOST_LABELS = 6;

interface ChartProps {
  readonly name: string;
  /** Days in UTC, oldest first. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** True: values of a day are added up, as bars. False: each series is a line of fractions. */
  readonly isStacked: boolean;
}

function dayTotals({ days, series }: ChartProps): readonly number[] {
  return days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
}

/** Returns a round number that is at least as great as a value: 1, 2 or 4 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function xOf(day: number, count: number): number {
  return LEFT + ((day + 0.5) / count) * (WIDTH - LEFT);
}

function yOf(value: number, most: number): number {
  return TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
}

function Axes({ days, most, format }: Pick<ChartProps, "days" | "format"> & { most: number }): JSX.Element {
  const every = Math.ceil(days.length / MOST_LABELS);
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
      {days.map(
        (day, index) =>
          index % every === 0 && (
            <text key={day} x={xOf(index, days.length)} y={HEIGHT - 6} text-anchor="middle">
              {day.slice(5)}
            </text>
          ),
      )}
    </g>
  );
}

function Bars({ days, series, format, most }: ChartProps & { most: number }): JSX.Element {
  const width = ((WIDTH - LEFT) / days.length) * 0.7;
  const below = days.map(() => 0);
  return (
    <>
      {series.map(({ name, values }, order) =>
        values.map((value = 0, day) => {
          if (value === 0) return null;
          const from = below[day] ?? 0;
          below[day] = from + value;
          const top = yOf(from + value, most);
          return (
            <rect
              key={`${name} ${days[day]}`}
              class={`series series-${order}`}
              x={xOf(day, days.length) - width / 2}
              width={width}
              y={top}
              height={yOf(from, most) - top}
            >
              <title>{`${days[day]}, ${plainLine(name)}: ${format(value)}`}</title>
            </rect>
          );
        }),
      )}
    </>
  );
}

function Lines({ days, series, format }: ChartProps): JSX.Element {
  return (
    <>
      {series.map(({ name, values }, order) => {
        const points = values.flatMap((value, day) =>
          value === undefined ? [] : [{ value, day, x: xOf(day, days.length), y: yOf(value, 1) }],
        );
        return (
          <g key={name} class={`series series-${order}`}>
            <polyline points={points.map(({ x, y }) => `${x},${y}`).join(" ")} />
            {points.map(({ x, y, day, value }) => (
              <circle key={day} cx={x} cy={y} r={3}>
                <title>{`${days[day]}, ${plainLine(name)}: ${format(value)}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
    </>
  );
}

function summaryOf(props: ChartProps): string {
  const { name, days, series, format, isStacked } = props;
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const engines = series.map((one) => plainLine(one.name)).join(", ");
  const most = isStacked ? `, at most ${format(Math.max(...dayTotals(props)))}` : "";
  return `${name}, from ${first} to ${last}${most}. Engines: ${engines}.`;
}

/** Chart of one value per day and engine, with labelled axes. */
export function DayChart(props: ChartProps): JSX.Element {
  const { name, series, isStacked } = props;
  const most = isStacked ? roundUp(Math.max(...dayTotals(props))) : 1;
  return (
    <figure class="card">
      <figcaption>{name}</figcaption>
      <svg class="day-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summaryOf(props)}>
        <Axes {...props} most={most} />
        {isStacked ? <Bars {...props} most={most} /> : <Lines {...props} />}
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
