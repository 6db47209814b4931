import type { Edit } from "./line-diff.ts";
import { diffLines } from "./line-diff.ts";

const CONTEXT_LINES = 3;
const NO_LINE_END = "\\ No newline at end of file\n";

/** A context, removed or added line in a hunk of a unified diff. */
interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Returns the hunks of a unified diff of two texts. Empty if they are equal. */
export function renderHunks(oldText: string, newText: string): string {
  const [oldLines, newLines] = [toLines(oldText), toLines(newText)];
  const edits = diffLines(oldLines, newLines);
  return groupEdits(edits)
    .map((group) => renderHunk(group, { oldLines, newLines }))
    .join("");
}

/** Splits a text into lines with their endings. Only a line feed ends a line. */
function toLines(text: string): string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Groups changes into hunks: changes belong together if their context lines touch or overlap. */
function groupEdits(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  let group: Edit[] = [];
  for (const [index, edit] of edits.entries()) {
    if (edit.kind !== "same") {
      group.push(edit);
      continue;
    }
    const isLast = index === edits.length - 1;
    if (group.length > 0 && !isLast && edit.count <= 2 * CONTEXT_LINES) {
      group.push(edit);
      continue;
    }
    if (group.length > 0) groups.push([...group, cut(edit, 0, Math.min(CONTEXT_LINES, edit.count))]);
    const ahead = Math.min(CONTEXT_LINES, edit.count);
    group = isLast ? [] : [cut(edit, edit.count - ahead, ahead)];
  }
  if (group.some(({ kind }) => kind !== "same")) groups.push(group);
  return groups;
}

function cut(edit: Edit, skip: number, count: number): Edit {
  return { ...edit, oldStart: edit.oldStart + skip, newStart: edit.newStart + skip, count };
}

function renderHunk(
  group: readonly Edit[],
  { oldLines, newLines }: { oldLines: readonly string[]; newLines: readonly string[] },
): string {
  const lines = group.flatMap(({ kind, oldStart, newStart, count }): HunkLine[] => {
    const isNew = kind === "added";
    const texts = isNew ? newLines.slice(newStart, newStart + count) : oldLines.slice(oldStart, oldStart + count);
    const sign = kind === "same" ? " " : isNew ? "+" : "-";
    return texts.map((text) => ({ sign, text }));
  });
  const oldCount = lines.filter(({ sign }) => sign !== "+").length;
  const newCount = lines.filter(({ sign }) => sign !== "-").length;
  const [first] = group;
  const header = `@@ -${range(first?.oldStart ?? 0, oldCount)} +${range(first?.newStart ?? 0, newCount)} @@\n`;
  return (
    header + lines.map(({ sign, text }) => sign + (text.endsWith("\n") ? text : `${text}\n${NO_LINE_END}`)).join("")
  );
}

/**
 * Formats the line range of a hunk header. Line numbers are 1-based; for an empty range, the number is that of the
 * preceding line.
 */
function range(start: number, count: number): string {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}
