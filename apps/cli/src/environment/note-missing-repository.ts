import { resolve } from "node:path";
import { parseEnvironmentName } from "@switchyard/environment";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import type { EnvironmentChoice } from "./environment-config.ts";

/** Prints a note if git will find no repository in a new container, because only the workspace is mounted. */
export async function noteMissingRepository(
  context: CommandContext,
  { env: named = "local", workspace = "." }: EnvironmentChoice,
): Promise<void> {
  const parsed = parseEnvironmentName(named);
  if ("problem" in parsed || parsed.type !== "docker" || !("image" in parsed)) return;
  const { findRepository } = await import("@switchyard/environment");
  const { realpath } = await import("node:fs/promises");
  const folder = await realpath(resolve(context.workingDirectory, workspace)).catch(() => undefined);
  const repository = folder === undefined ? undefined : findRepository(folder);
  if (folder === undefined || repository === undefined) return;
  const { top, kind } = repository;
  const problem =
    top !== folder
      ? `the repository ${top} is outside of the folder. Run in ${top} to work with git`
      : kind === "outside"
        ? "the data of this repository is outside of the folder, as for a submodule. Run in the repository around it to work with git"
        : undefined;
  if (problem === undefined) return;
  context.stderr.write(`note: git does not work in the container: ${neutraliseControls(problem)}.\n`);
}
