import { cutToWidth, neutraliseControls } from "@switchyard/terminal";
import type { createColors } from "picocolors";

/** Maximum number of lines of a diff that are shown. */
const MAX_LINES = 400;

/** Renders a unified diff: added lines green, removed lines red, headers bold. */
export function renderDiff(
  diff: string,
  { columns, colours }: { readonly columns: number; readonly colours: ReturnType<typeof createColors> },
): string[] {
  const lines = neutraliseControls(diff.trimEnd()).replaceAll("\t", "    ").split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => {
    const text = cutToWidth(line, columns - 1);
    if (line.startsWith("diff --git ")) return colours.bold(text);
    if (line.startsWith("@@")) return colours.cyan(text);
    if (/^(?:index |--- |\+\+\+ |(?:new|deleted) file|(?:old|new) mode|similarity )/.test(line))
      return colours.dim(text);
    return line.startsWith("+") ? colours.green(text) : line.startsWith("-") ? colours.red(text) : text;
  });
  const rest = lines.length - shown.length;
  return rest === 0 ? shown : [...shown, colours.dim(`… ${rest.toLocaleString("en-US")} more lines`)];
}
