/**
 * Maximum number of removed and added lines that are computed exactly. If texts differ in more lines, everything
 * between the first and the last difference counts as replaced.
 */
const MAX_EDITS = 1500;

/** Consecutive lines that are unchanged, removed or added. Line numbers are 0-based. */
export interface Edit {
  readonly kind: "same" | "removed" | "added";
  /** Line number in the old text at which these lines start. */
  readonly oldStart: number;
  /** Line number in the new text at which these lines start. */
  readonly newStart: number;
  /** Number of lines. */
  readonly count: number;
}

/**
 * Returns the shortest edit script between two lists of lines (Myers). If too many lines differ, the script is not the
 * shortest.
 */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): Edit[] {
  let start = 0;
  while (start < Math.min(oldLines.length, newLines.length) && oldLines[start] === newLines[start]) start += 1;
  let end = 0;
  const most = Math.min(oldLines.length, newLines.length) - start;
  while (end < most && oldLines[oldLines.length - 1 - end] === newLines[newLines.length - 1 - end]) end += 1;
  const [oldMiddle, newMiddle] = [
    oldLines.slice(start, oldLines.length - end),
    newLines.slice(start, newLines.length - end),
  ];
  return toEdits([["same", start], ...middleSteps(oldMiddle, newMiddle), ["same", end]]);
}

type Step = readonly [kind: Edit["kind"], count: number];

function middleSteps(oldLines: readonly string[], newLines: readonly string[]): Step[] {
  const trace = findTrace(oldLines, newLines);
  if (trace === undefined)
    return [
      ["removed", oldLines.length],
      ["added", newLines.length],
    ];
  const steps: Step[] = [];
  let [x, y] = [oldLines.length, newLines.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reach = trace[edits] ?? new Int32Array();
    const k = x - y;
    const at = (diagonal: number): number => reach[diagonal + edits + 1] ?? -1;
    const isDown = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const previousX = edits === 0 ? 0 : isDown ? at(k + 1) : at(k - 1);
    const previousY = edits === 0 ? 0 : previousX - (isDown ? k + 1 : k - 1);
    const afterX = edits === 0 ? 0 : isDown ? previousX : previousX + 1;
    steps.push(["same", x - afterX]);
    if (edits > 0) steps.push([isDown ? "added" : "removed", 1]);
    [x, y] = [previousX, previousY];
  }
  return steps.reverse();
}

/**
 * Finds, for each number of edits, the furthest point that Myers' algorithm reaches on each diagonal. `undefined` if
 * there are too many edits.
 */
function findTrace(oldLines: readonly string[], newLines: readonly string[]): Int32Array[] | undefined {
  const [n, m] = [oldLines.length, newLines.length];
  const trace: Int32Array[] = [];
  let reached = new Int32Array(3);
  for (let edits = 0; edits <= Math.min(n + m, MAX_EDITS); edits += 1) {
    // In this array, diagonal k has the index k + edits + 1.
    const before = new Int32Array(2 * edits + 3).fill(-1);
    before.set(reached.subarray(0, 2 * edits + 1), 1);
    trace.push(before);
    const after = new Int32Array(2 * edits + 3).fill(-1);
    for (let k = -edits; k <= edits; k += 2) {
      const left = before[k + edits] ?? -1;
      const right = before[k + edits + 2] ?? -1;
      let x = edits === 0 ? 0 : k === -edits || (k !== edits && left < right) ? right : left + 1;
      let y = x - k;
      while (x < n && y < m && oldLines[x] === newLines[y]) [x, y] = [x + 1, y + 1];
      after[k + edits + 1] = x;
      if (x >= n && y >= m) return trace;
    }
    reached = after;
  }
  return undefined;
}

/** Merges consecutive steps of the same kind, and places removals before additions. */
function toEdits(steps: readonly Step[]): Edit[] {
  const edits: Edit[] = [];
  let [oldAt, newAt, removed, added] = [0, 0, 0, 0];
  const flush = (): void => {
    if (removed > 0) edits.push({ kind: "removed", oldStart: oldAt, newStart: newAt, count: removed });
    if (added > 0) edits.push({ kind: "added", oldStart: oldAt + removed, newStart: newAt, count: added });
    [oldAt, newAt, removed, added] = [oldAt + removed, newAt + added, 0, 0];
  };
  for (const [kind, count] of steps) {
    if (kind === "removed") removed += count;
    else if (kind === "added") added += count;
    else if (count > 0) {
      flush();
      const last = edits.at(-1);
      if (last?.kind === "same") edits.splice(-1, 1, { ...last, count: last.count + count });
      else edits.push({ kind, oldStart: oldAt, newStart: newAt, count });
      [oldAt, newAt] = [oldAt + count, newAt + count];
    }
  }
  flush();
  return edits;
}
