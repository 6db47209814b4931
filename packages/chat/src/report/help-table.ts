import { displayWidth, wrapLine } from "@switchyard/terminal";

/** Number of spaces before a name, and between a name and its text. */
const GAP = 2;

/** Renders names with explanations in two columns. A long explanation continues below its start. */
export function helpTable(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const width = rows.reduce((widest, [name]) => Math.max(widest, displayWidth(name)), 0);
  const indent = GAP + width + GAP;
  return rows.flatMap(([name, text]) =>
    wrapLine(text, Math.max(columns - 1 - indent, 16)).map((line, index) =>
      `${index === 0 ? `  ${name}` : ""}`.padEnd(indent).concat(line),
    ),
  );
}
