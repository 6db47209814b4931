import type { FileDifference } from "../diff/render-git-diff.ts";
import { renderGitDiff } from "../diff/render-git-diff.ts";
import type { BaseFolder } from "./base-folder.ts";
import type { Difference } from "./find-differences.ts";
import { readFullFile } from "./read-full-file.ts";

/**
 * Renders files and links as one diff for `git apply`. Folders without files, and special files such as pipes, are
 * omitted.
 */
export async function renderDiff(differences: readonly Difference[], base: BaseFolder): Promise<string> {
  // Removals come first, so that an added file can take the path of a removed one.
  const ordered = [...differences.filter(isRemoval), ...differences.filter((one) => !isRemoval(one))];
  let diff = "";
  for (const difference of ordered) {
    if (difference.entry === "file" || difference.entry === "symlink") {
      diff += await renderGitDiff(await toFileDifference(difference, base));
    }
  }
  return diff;
}

function isRemoval({ after }: Difference): boolean {
  return after === undefined;
}

async function toFileDifference(
  { entry, before, after, bytes }: Difference,
  base: BaseFolder,
): Promise<FileDifference> {
  const isLink = entry === "symlink";
  const old = before === undefined ? new Uint8Array() : await contentOf(base, before, isLink);
  return {
    before: before === undefined ? undefined : { path: before, bytes: old },
    after: after === undefined ? undefined : { path: after, bytes: bytes ?? old },
    mode: isLink ? "120000" : "100644",
  };
}

async function contentOf(base: BaseFolder, path: string, isLink: boolean): Promise<Uint8Array> {
  if (!isLink) return readFullFile(base.environment, path);
  return new TextEncoder().encode(await base.readLink(path, path));
}
