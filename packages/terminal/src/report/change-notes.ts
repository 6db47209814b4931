import type { OmissionReason, ReferenceChange, SessionReport } from "@switchyard/contracts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

const REASONS: Readonly<Record<OmissionReason, string>> = {
  ignored: "ignored by git",
  installed: "installed dependencies, which are not recorded",
  too_large: "too large or unreadable",
  special: "not a regular file",
  repository: "data of a git repository",
};

/** Maximum number of listed changes. Further ones are only counted. */
const MAX_NAMED = 10;

/** Describes changed files that are not in the diff, one line each. */
export function describeLeftOut({ workspaceLeftOut = [] }: Pick<SessionReport, "workspaceLeftOut">): string[] {
  return limited(workspaceLeftOut.map(({ path, reason }) => `${path} (${REASONS[reason]})`));
}

/** Describes branches, tags, stashes and staged changes that a run changed, one line each. */
export function describeReferences({ workspaceReferences = [] }: Pick<SessionReport, "workspaceReferences">): string[] {
  return limited(workspaceReferences.map(describeReference));
}

function describeReference({ folder, name, before, after }: ReferenceChange): string {
  const where = folder === "" ? "" : `${folder}: `;
  if (name === "index") return `${where}staged changes`;
  const called = name
    .replace(/^refs\/heads\//, "branch ")
    .replace(/^refs\/tags\//, "tag ")
    .replace(/^refs\//, "");
  if (before === undefined) return `${where}${called} created at ${shortened(after)}`;
  if (after === undefined) return `${where}${called} removed (was ${shortened(before)})`;
  return `${where}${called} moved from ${shortened(before)} to ${shortened(after)}`;
}

function shortened(value = ""): string {
  return value.startsWith("refs/heads/") ? value.slice("refs/heads/".length) : value.slice(0, 8);
}

function limited(lines: readonly string[]): string[] {
  const named = lines.slice(0, MAX_NAMED).map(neutraliseControls);
  return lines.length > MAX_NAMED ? [...named, `… ${lines.length - MAX_NAMED} more`] : named;
}
