import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { createShadow } from "./create-shadow.ts";
import { findRepository } from "./git-repository.ts";

/** Options for reading uncommitted changes. */
export interface UncommittedOptions {
  /** Commit that the changes are based on. */
  readonly commit: string;
  /** Local folder for temporary files of git. Created if missing, and not removed. */
  readonly scratch: string;
}

/**
 * Returns the changes of a local workspace since a commit, including untracked files, as an exact patch of its
 * repository. As in `takeSnapshot`, no program configured in the repository is executed. Empty if the repository does
 * not track the workspace. Throws if git fails.
 */
export async function readUncommitted(
  environment: ExecutionEnvironment,
  { commit, scratch }: UncommittedOptions,
): Promise<Uint8Array> {
  const repository = await findRepository(environment);
  if (repository === "ignored") return new Uint8Array();
  const { shadow, tree } = await createShadow(environment, repository, { scratch, isComplete: true });
  const output = join(scratch, "uncommitted.patch");
  await shadow.diffTrees(commit, tree, { output, hasBinary: true, excluded: [], excludedFromTop: [] });
  return readFile(output);
}
