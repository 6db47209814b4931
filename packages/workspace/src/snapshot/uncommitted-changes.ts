import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { findRepository } from "./git-repository.ts";
import { createShadow } from "./shadow-repository.ts";

/** What the changes are read with. */
export interface UncommittedOptions {
  /** Commit that they follow. */
  readonly commit: string;
  /** Folder of this machine for git's files; made and left there. */
  readonly scratch: string;
}

/**
 * What a workspace of this machine has beyond a commit, files that git does not know included, as a patch of its repository
 * byte by byte; nothing of it is run, as in `takeSnapshot`. Empty where the repository looks away from the workspace.
 * Throws when git fails.
 */
export async function readUncommitted(
  environment: ExecutionEnvironment,
  { commit, scratch }: UncommittedOptions,
): Promise<Uint8Array> {
  const repository = await findRepository(environment);
  if (repository === "ignored") return new Uint8Array();
  const { shadow, tree } = await createShadow(environment, repository, { scratch, isWhole: true });
  const output = join(scratch, "uncommitted.patch");
  const after = tree ?? (await shadow.writeTree());
  await shadow.diffTrees(commit, after, { output, hasBinary: true, excluded: [], excludedFromTop: [] });
  return readFile(output);
}
