import { realpath, stat } from "node:fs/promises";
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
    // The workspace may be on a network file system that does not answer, so these calls must not block the event loop.
    const isWindows = process.platform === "win32";
    // Outside Windows, the path of a file fails with ENOTDIR if it ends with `/.`, so the folder needs no further call.
    const real = await realpath(isWindows ? absolute : `${absolute}/.`);
    if (isWindows && !(await stat(real)).isDirectory())
      throw new EngineError("workspace.not_a_directory", { path: root });
    const style = isWindows ? "windows" : "posix";
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
