import { displayWidth } from "./display-width.ts";
import { neutraliseControls } from "./neutralise-controls.ts";

/** Options for `renderTable`. */
export interface TableOptions {
  /** Index of the first right-aligned column. Default: all columns are left-aligned. */
  readonly rightFrom?: number | undefined;
  /** Whether to omit columns that are empty in all rows except the first. Default: false. */
  readonly omitEmpty?: boolean | undefined;
}

/**
 * Renders rows as lines of an aligned table. Control characters are made visible, and
 * line breaks become spaces.
 */
export function renderTable(
  rows: readonly (readonly string[])[],
  { rightFrom = Number.POSITIVE_INFINITY, omitEmpty = false }: TableOptions = {},
): string[] {
  const cells = rows.map((row) => row.map((cell) => neutraliseControls(cell).replace(/\s+/g, " ")));
  const widths = (cells[0] ?? []).map((_, column) => {
    const isOmitted = omitEmpty && cells.slice(1).every((row) => (row[column] ?? "") === "");
    return isOmitted ? 0 : cells.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0);
  });
  const pad = (cell: string, column: number): string => {
    const room = " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
    return column < rightFrom ? cell + room : room + cell;
  };
  return cells.map((row) =>
    row
      .flatMap((cell, column) => (omitEmpty && widths[column] === 0 ? [] : [pad(cell, column)]))
      .join("  ")
      .trimEnd(),
  );
}
