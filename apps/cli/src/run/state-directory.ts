import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { liesInProc } from "@switchyard/program-loader";
import { defaultStateDirectory } from "@switchyard/runner";
import { failWithoutHome } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Returns the absolute path of the folder that stores runs: the folder that the option names, or `switchyard` in the
 * user's state folder. Throws `run.store_failed` if the folder cannot be created.
 */
export function stateDirectory(context: CommandContext, option: string | undefined): string {
  const path =
    option === undefined
      ? (defaultStateDirectory(context.env, context.homeDirectory) ?? failWithoutHome())
      : resolve(context.workingDirectory, option);
  if (liesInProc(path)) throw new EngineError("run.store_failed", { path, problem: "folders cannot be created there" });
  return path;
}
