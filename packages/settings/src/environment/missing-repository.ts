import { realpath } from "node:fs/promises";
import { parseEnvironmentName } from "@switchyard/environment";
import { environmentNameOf } from "./default-environment.ts";
import type { EnvironmentOptions } from "./environment-selection.ts";

/**
 * Resolves with the reason why git cannot work in a new container: the `.git` data is outside the mounted workspace.
 * `undefined` if git works there, if `folder` belongs to no repository, or if the environment is not a new container.
 */
export async function missingRepository(options: EnvironmentOptions, folder: string): Promise<string | undefined> {
  const parsed = parseEnvironmentName(environmentNameOf(options));
  if ("problem" in parsed || parsed.type !== "docker" || !("image" in parsed)) return undefined;
  const { findRepository } = await import("@switchyard/environment");
  const workspace = await realpath(folder).catch(() => undefined);
  const repository = workspace === undefined ? undefined : findRepository(workspace);
  if (repository === undefined) return undefined;
  const { top, kind } = repository;
  if (top !== workspace) return `the repository ${top} is outside the folder. Run in ${top} to use git`;
  return kind === "outside"
    ? "the repository's data is outside the folder, as in a submodule. Run in the enclosing repository to use git"
    : undefined;
}
