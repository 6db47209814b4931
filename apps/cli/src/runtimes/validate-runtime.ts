import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { loadRuntimePackage, type ManifestLevel } from "@switchyard/runtimes";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Options of the command `runtimes validate`. */
export interface ManifestChoice {
  /** Folder of the package. */
  folder: string;
  /** Strictness of the check. */
  level: ManifestLevel;
  /** Whether to print the findings as JSON. */
  json?: boolean;
}

/**
 * Checks the manifest in a folder. Resolves with exit code 0 if it is valid. If it is invalid, resolves with 2 if
 * `json` is set, otherwise rejects with `runtime.manifest_invalid`.
 */
export async function validateRuntime(
  context: CommandContext,
  { folder, level, json }: ManifestChoice,
): Promise<number> {
  const { stdout, stderr, workingDirectory } = context;
  try {
    const { id, warnings } = await loadRuntimePackage(resolve(workingDirectory, folder), { level });
    if (json === true) stdout.write(`${toPlainJson({ id, level, valid: true, problems: [], warnings })}\n`);
    else stdout.write(neutraliseControls(`${id} is a valid runtime package (${level}).`).concat("\n"));
    if (json !== true) for (const warning of warnings) stderr.write(`warning: ${neutraliseControls(warning)}\n`);
    return 0;
  } catch (error) {
    if (json !== true || !EngineError.is(error, "runtime.manifest_invalid")) throw error;
    const { problems = [error.details["problem"]] } = error.details;
    stdout.write(`${toPlainJson({ level, valid: false, problems, warnings: [] })}\n`);
    return 2;
  }
}
