import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { LocalWorkspace } from "./pin-path.ts";
import { availableConfinement } from "./pin-path.ts";
import { systemCodeOf, toFileError } from "./to-file-error.ts";

/** Opens the workspace of an environment. Throws `config.invalid` and `workspace.*` errors. */
export async function openWorkspace(root: string): Promise<LocalWorkspace> {
  // `resolve` would interpret an empty root as the working directory of this process.
  if (root === "") throw new EngineError("config.invalid", { field: "root", problem: "it is empty" });
  const absolute = resolve(root);
  try {
    // These two calls take a tenth of the CPU time that they take on another thread.
    const real = realpathSync.native(absolute);
    if (!statSync(real).isDirectory()) throw new EngineError("workspace.not_a_directory", { path: root });
    const style = process.platform === "win32" ? "windows" : "posix";
    return { real, aliases: [absolute], style, confinement: availableConfinement() };
  } catch (error) {
    throw toRootError(error, root);
  }
}

function toRootError(error: unknown, path: string): unknown {
  const code = systemCodeOf(error);
  if (code === "ENOENT") return new EngineError("workspace.not_found", { path }, { cause: error });
  if (code === "ENOTDIR") return new EngineError("workspace.not_a_directory", { path }, { cause: error });
  if (EngineError.is(error)) return error;
  return toFileError(error, { operation: "open", path, root: path });
}
