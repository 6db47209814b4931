import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { cutToWidth, displayWidth } from "../text/display-width.ts";
import { formatAge } from "../text/format-age.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { renderTable } from "../text/render-table.ts";

/** One run of a list. */
export interface RunRow {
  /** Id of the run. */
  readonly id: string;
  /** Shortest text that identifies the run. Terminals show it instead of the id. */
  readonly shortId: string;
  /** Status, such as `completed` or `running (cut off)`. */
  readonly status: string;
  /** Time the run was accepted, in milliseconds since 1970; `undefined` if unknown. */
  readonly createdMs?: number | undefined;
  /** Name of the engine. Empty if unknown. */
  readonly engine: string;
  /** Model reference. Empty if unknown. */
  readonly model: string;
  /** Cost in millionths of a dollar; `undefined` if unknown. */
  readonly costMicros?: number | undefined;
  /** First words of the task, or the problem of a damaged run. */
  readonly task: string;
}

/** Column of the list. */
interface Column {
  readonly heading: string;
  /** Maximum width, in terminal columns. */
  readonly atMost: number;
  /**
   * The column is shown only if at least this width remains for the column with the task. `undefined`: the column is
   * always shown.
   */
  readonly taskNeeds?: number;
  text(row: RunRow, now: number): string;
}

/** Columns of the list of runs that are shown to the left of the column with the run's task, in order. */
const COLUMNS: readonly Column[] = [
  { heading: "RUN", atMost: 26, text: ({ shortId }) => shortId },
  { heading: "AGE", atMost: 4, taskNeeds: 12, text: ageOf },
  {
    heading: "STATUS",
    atMost: 14,
    taskNeeds: 6,
    text: ({ status }) => (status.endsWith("(cut off)") ? "cut off" : status),
  },
  { heading: "ENGINE", atMost: 16, taskNeeds: 12, text: ({ engine }) => engine },
  { heading: "COST", atMost: 10, taskNeeds: 30, text: costOf },
  { heading: "MODEL", atMost: 32, taskNeeds: 40, text: ({ model }) => model },
];

/** Columns that are hidden first if there is not enough room. */
const HIDDEN_FIRST = ["MODEL", "COST", "ENGINE", "AGE", "STATUS"];

const GAP = 2;

const COLOURS: Readonly<Record<string, "green" | "red" | "yellow">> = {
  completed: "green",
  failed: "red",
  error: "red",
  damaged: "red",
  running: "yellow",
  awaiting_input: "yellow",
  "cut off": "yellow",
};

/**
 * Renders a list of runs as lines. On a terminal, each line fits the width and shows the task: columns are omitted, and
 * a long task is truncated. In a pipe or a file, nothing is truncated, ids are complete and times are ISO 8601.
 */
export function renderRunList(
  rows: readonly RunRow[],
  { output, now }: { readonly output: Pick<TextOutput, "isTerminal" | "columns" | "hasColour">; readonly now: number },
): string[] {
  if (!output.isTerminal) return renderComplete(rows);
  const cells = COLUMNS.map(({ heading, atMost, text }) =>
    [heading, ...rows.map((row) => plain(text(row, now)))].map((cell) => cutToWidth(cell, atMost)),
  );
  const widths = cells.map((column) => Math.max(...column.map(displayWidth)));
  const shown = columnsThatFit(widths, output.columns);
  const colours = picocolors.createColors(output.hasColour);
  return ["TASK", ...rows.map(({ task }) => plain(task))].map((task, line) => {
    const fields = shown.map((column) => {
      const cell = cells[column]?.[line] ?? "";
      const colour = line > 0 && COLUMNS[column]?.heading === "STATUS" ? COLOURS[cell] : undefined;
      const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)) + GAP);
      return (colour === undefined ? cell : colours[colour](cell)) + padding;
    });
    const text = `${fields.join("")}${cutToWidth(task, roomForTask(shown, { widths, columns: output.columns }))}`;
    return (line === 0 ? colours.dim(text.trimEnd()) : text).trimEnd();
  });
}

/** Returns the indices of the columns that leave enough room for the task. */
function columnsThatFit(widths: readonly number[], columns: number): number[] {
  let shown = COLUMNS.map((_, index) => index);
  for (const heading of HIDDEN_FIRST) {
    const needed = COLUMNS.find((column) => column.heading === heading)?.taskNeeds ?? 0;
    if (roomForTask(shown, { widths, columns }) < needed) {
      shown = shown.filter((index) => COLUMNS[index]?.heading !== heading);
    }
  }
  return shown;
}

function roomForTask(
  shown: readonly number[],
  { widths, columns }: { readonly widths: readonly number[]; readonly columns: number },
): number {
  return Math.max(1, columns - shown.reduce((sum, index) => sum + (widths[index] ?? 0) + GAP, 0));
}

function renderComplete(rows: readonly RunRow[]): string[] {
  const lines = rows.map((row) => [
    row.id,
    row.status,
    row.createdMs === undefined ? "" : new Date(row.createdMs).toISOString().replace(/\.\d+Z$/, "Z"),
    row.engine,
    costOf(row),
    row.model,
    row.task,
  ]);
  return renderTable([["RUN", "STATUS", "STARTED", "ENGINE", "COST", "MODEL", "TASK"], ...lines]);
}

function ageOf({ createdMs }: RunRow, now: number): string {
  return createdMs === undefined ? "" : formatAge(now - createdMs);
}

function costOf({ costMicros }: RunRow): string {
  if (costMicros === undefined) return "";
  return `$${(costMicros / 1_000_000).toFixed(costMicros < 1_000_000 ? 4 : 2)}`;
}

function plain(text: string): string {
  return neutraliseControls(text).replace(/\s+/g, " ").trim();
}
