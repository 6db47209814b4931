import type { SessionReport } from "@switchyard/contracts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { describeLeftOut, describeReferences } from "./change-notes.ts";
import { summariseDiff } from "./diff-summary.ts";

/** Outcome of an undo. */
export interface UndoOutcome {
  /** Diff of the changes that were, or would be, reverted. */
  readonly diff: string;
  /** Report of the run, with the changes that the undo does not restore. */
  readonly report: Pick<SessionReport, "workspaceLeftOut" | "workspaceReferences"> | undefined;
  /** Whether the changes were reverted. False for a dry run. */
  readonly isDone: boolean;
  /** Whether branches, tags, HEAD and staged changes were restored as well. */
  readonly areCommitsRestored: boolean;
}

/** Renders the outcome of an undo as lines: the reverted files, the changes in git, and what was not restored. */
export function renderUndo({ diff, report = {}, isDone, areCommitsRestored }: UndoOutcome): string[] {
  const lines = [isDone ? "Reverted:" : "Would be reverted:", ...indented(summariseDiff(diff).map(neutraliseControls))];
  const [git, left] = [describeReferences(report), describeLeftOut(report)];
  if (git.length > 0) {
    const heading = areCommitsRestored ? "Restored in git:" : "Not restored in git; --commits restores it:";
    lines.push(heading, ...indented(git));
  }
  if (left.length > 0) lines.push("Not restored:", ...indented(left));
  return lines;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
