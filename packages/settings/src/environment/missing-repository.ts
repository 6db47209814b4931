import { resolve } from "node:path";
import { parseEnvironmentName } from "@switchyard/environment";
import { type EnvironmentSelection, environmentNameOf } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Prints a note if git cannot work in a new container, because the `.git` data is outside the mounted workspace. */
export async function noteMissingRepository(context: CommandContext, selection: EnvironmentSelection): Promise<void> {
  const { workspace = "." } = selection;
  const parsed = parseEnvironmentName(environmentNameOf(selection));
  if ("problem" in parsed || parsed.type !== "docker" || !("image" in parsed)) return;
  const { findRepository } = await import("@switchyard/environment");
  const { realpath } = await import("node:fs/promises");
  const folder = await realpath(resolve(context.workingDirectory, workspace)).catch(() => undefined);
  const repository = folder === undefined ? undefined : findRepository(folder);
  if (folder === undefined || repository === undefined) return;
  const { top, kind } = repository;
  const problem =
    top !== folder
      ? `the repository ${top} is outside the folder. Run in ${top} to use git`
      : kind === "outside"
        ? "the repository's data is outside the folder, as in a submodule. Run in the enclosing repository to use git"
        : undefined;
  if (problem === undefined) return;
  context.stderr.write(`note: git does not work in the container: ${neutraliseControls(problem)}.\n`);
}
