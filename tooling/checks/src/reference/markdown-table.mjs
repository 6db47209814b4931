// @ts-check

/**
 * Renders the lines of a Markdown table.
 * @param {readonly string[]} header
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]}
 */
export function renderTable(header, rows) {
  /** @param {readonly string[]} cells */
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", "<br>")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)];
}
