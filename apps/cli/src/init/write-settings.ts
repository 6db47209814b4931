import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { PROJECT_SETTINGS_FILE, SETTINGS_TEMPLATE } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";

/**
 * Writes a commented settings file to the current folder. Resolves with exit code 0. Rejects with `usage.invalid` if the
 * file exists, and with `output.unwritable`.
 */
export async function writeSettings({ workingDirectory, stdout }: CommandContext): Promise<number> {
  const path = join(workingDirectory, PROJECT_SETTINGS_FILE);
  try {
    // The flag `wx` also rejects an existing symbolic link, so no file outside the folder is written.
    await writeFile(path, SETTINGS_TEMPLATE, { flag: "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw usageError(`${path} already exists and is not overwritten.`, "init");
    throw new EngineError("output.unwritable", { path, problem: fileProblem(error) }, { cause: error });
  }
  stdout.write(`Wrote ${neutraliseControls(path)}. All settings in it are commented out.
Next: edit it, then run \`switchyard trust\`. A project's settings are used only in a folder that you trust.
`);
  return 0;
}
