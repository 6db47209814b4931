import type { Tokens } from "marked";
import { displayWidth } from "../text/display-width.ts";
import type { MarkdownStyle } from "./markdown-style.ts";
import { renderInline } from "./render-inline.ts";
import { PLAIN, renderSpans, type Span, type Style, textOf, widthOf, wrapSpans } from "./styled-text.ts";

/** Text between two columns. */
const GAP = " │ ";
/** Text between two columns in a rule, such as the one below the header. */
const RULE_GAP = "─┼─";
/** Minimum width to which a column is narrowed, in terminal columns. */
const MIN_CELL = 6;

/**
 * Renders a table so that it fits the width: wide columns are wrapped. If there are too many columns, each row becomes a
 * list of its cells with their headers.
 */
export function renderMarkdownTable(table: Tokens.Table, style: MarkdownStyle): string[] {
  const { colours, columns } = style;
  const cellsOf = (row: readonly Tokens.TableCell[], base: Style): Span[][] =>
    row.map(({ tokens }) => renderInline(tokens, { colours }, base));
  const header = cellsOf(table.header, colours.bold);
  const rows = table.rows.map((row) => cellsOf(row, PLAIN));
  const natural = header.map((cell, column) => columnWidth([cell, ...rows.map((row) => row[column] ?? [])]));
  const widths = fitWidths(natural, columns - GAP.length * (header.length - 1));
  if (widths === undefined) return renderRecords({ header, rows }, columns);
  const layout = { widths, align: table.align, gap: colours.dim(GAP) };
  const rule = colours.dim(widths.map((width) => "─".repeat(width)).join(RULE_GAP));
  const isWrapped = widths.some((width, column) => width < (natural[column]?.natural ?? 0));
  const body = rows.map((row) => renderRow(row, layout));
  // Rules separate the rows if a row may have several lines.
  return [
    ...renderRow(header, layout),
    rule,
    ...body.flatMap((row, index) => (isWrapped && index > 0 ? [rule, ...row] : row)),
  ];
}

/**
 * Reduces the widest columns until all fit, and breaks words only if necessary. `undefined` if the columns cannot fit.
 */
function fitWidths(columns: readonly ColumnWidth[], room: number): number[] | undefined {
  const widthsWith = (least: (column: ColumnWidth) => number): number[] | undefined => {
    const widths = (most: number): number[] =>
      columns.map((column) => Math.min(column.natural, Math.max(most, least(column))));
    const total = (most: number): number => widths(most).reduce((sum, width) => sum + width, 0);
    let most = Math.max(room, MIN_CELL);
    while (total(most) > room && most > MIN_CELL) most -= 1;
    return total(most) > room ? undefined : widths(most);
  };
  return widthsWith(({ word }) => word) ?? widthsWith(() => MIN_CELL);
}

/** Widths of a column of a table. */
interface ColumnWidth {
  /** Width of the widest line. */
  readonly natural: number;
  /** Width of the longest word. */
  readonly word: number;
}

function columnWidth(cells: readonly (readonly Span[])[]): ColumnWidth {
  const words = cells.flatMap((cell) => textOf(cell).split(/\s+/));
  return {
    natural: Math.max(...cells.map((cell) => widthOf(cell))),
    word: words.reduce((widest, word) => Math.max(widest, displayWidth(word)), 0),
  };
}

interface Layout {
  readonly widths: readonly number[];
  readonly align: Tokens.Table["align"];
  readonly gap: string;
}

function renderRow(row: readonly Span[][], { widths, align, gap }: Layout): string[] {
  const cells = widths.map((width, column) => wrapSpans(row[column] ?? [], Math.max(width, 1)));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => pad(lines[at] ?? [], widths[column] ?? 0, align[column] ?? "left"))
      .join(gap)
      .trimEnd(),
  );
}

function pad(line: readonly Span[], width: number, align: "left" | "center" | "right"): string {
  const room = Math.max(0, width - widthOf(line));
  const before = align === "right" ? room : align === "center" ? Math.floor(room / 2) : 0;
  return `${" ".repeat(before)}${renderSpans(line)}${" ".repeat(room - before)}`;
}

/** Renders each row as lines of header and cell. */
function renderRecords(
  { header, rows }: { readonly header: readonly Span[][]; readonly rows: readonly Span[][][] },
  columns: number,
): string[] {
  const colon: Span = { text: ": ", style: PLAIN };
  const shown = rows.length === 0 ? [header.map(() => [])] : rows;
  return shown.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...header.flatMap((name, column) =>
      wrapSpans([...name, colon, ...(row[column] ?? [])], columns).map((line) => renderSpans(line).trimEnd()),
    ),
  ]);
}
