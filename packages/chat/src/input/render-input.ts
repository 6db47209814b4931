import { displayWidth, type FooterCursor } from "@switchyard/terminal";
import { graphemesOf } from "./graphemes.ts";

/** Text and cursor of an input line. */
export interface InputText {
  /** Text, which may have several lines. */
  readonly text: string;
  /** Position of the cursor in the text, in UTF-16 code units. */
  readonly cursor: number;
}

/** Options of `renderInput`. */
export interface RenderInputOptions {
  /** Maximum width of a line, in columns. */
  readonly columns: number;
  /** Text before the first line. Later lines are indented by its width. */
  readonly mark: string;
}

/** Maximum number of lines that are shown. The lines around the cursor are shown if there are more. */
const MAX_ROWS = 8;

interface Row {
  readonly text: string;
  /** Part of the row before the cursor; `undefined` if the cursor is in another row. */
  readonly before: string | undefined;
}

/** Renders an input line, wrapped to the width of the terminal, with the position of the cursor. */
export function renderInput(
  input: InputText,
  { columns, mark }: RenderInputOptions,
): { lines: string[]; cursor: FooterCursor } {
  const indent = " ".repeat(displayWidth(mark));
  const rows = wrap(input, Math.max(columns - indent.length, 4));
  const at = Math.max(
    rows.findIndex(({ before }) => before !== undefined),
    0,
  );
  const start = Math.max(0, Math.min(at - MAX_ROWS + 1, rows.length - MAX_ROWS));
  const prefix = (index: number): string => (index === 0 ? mark : index === start ? `…${indent.slice(1)}` : indent);
  const lines = rows.slice(start, start + MAX_ROWS).map(({ text }, index) => `${prefix(start + index)}${text}`);
  return { lines, cursor: { row: at - start, before: `${prefix(at)}${rows[at]?.before ?? ""}` } };
}

/** Splits the text at line ends, and at the width of the terminal. */
function wrap({ text, cursor }: InputText, columns: number): Row[] {
  const rows: Row[] = [];
  let [line, width, position] = ["", 0, 0];
  let before: string | undefined;
  const end = (): void => {
    rows.push({ text: line, before });
    [line, width, before] = ["", 0, undefined];
  };
  for (const grapheme of graphemesOf(text)) {
    const wide = grapheme === "\n" ? 0 : displayWidth(grapheme);
    if (width + wide > columns) end();
    if (position === cursor) before = line;
    position += grapheme.length;
    if (grapheme === "\n") {
      end();
      continue;
    }
    line += grapheme;
    width += wide;
  }
  if (position === cursor && width >= columns) end();
  if (position === cursor) before = line;
  end();
  return rows;
}
