import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { leavesRoot } from "../../config/problem-of-path.ts";

/** A path of the configuration as it is used. */
export interface WorkspacePath {
  /** Field it comes from. */
  readonly field: string;
  /** Absolute path in the environment. */
  readonly path: string;
}

/**
 * An absolute path inside of the workspace. Whether links lead out of it is for the environment to say, which looks
 * at each use anew. Throws `config.path_outside_workspace`. custom-engine: workspace confinement.
 */
export function workspacePath(
  written: string,
  field: string,
  { workingDirectory }: ExecutionEnvironment,
): WorkspacePath {
  if (written.trim() === "") throw new EngineError("config.invalid", { field, problem: "it is empty" });
  if (written.includes("\0"))
    throw new EngineError("config.invalid", { field, problem: "it contains a NUL character" });
  if (written.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(written)) return { field, path: written };
  if (leavesRoot(written)) throw escapes(written, field);
  const steps = written.split("/").filter((step) => step !== "" && step !== ".");
  const root = workingDirectory.endsWith("/") ? workingDirectory : `${workingDirectory}/`;
  return { field, path: steps.length === 0 ? workingDirectory : root + steps.join("/") };
}

function escapes(path: string, field: string): EngineError {
  return new EngineError("config.invalid", {
    field,
    problem: `path "${path.slice(0, 200)}" escapes the runtime workspace`,
  });
}

/** What is at a path: a file, a folder, something else, or nothing. Rejects where the path leads out of the workspace. */
export async function entryAt(
  { path, field }: WorkspacePath,
  environment: ExecutionEnvironment,
): Promise<"file" | "directory" | "other" | undefined> {
  try {
    const { kind } = await environment.stat(path);
    return kind === "file" || kind === "directory" ? kind : "other";
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    throw toPathError(error, { path, field });
  }
}

/** A refusal of the environment as one of the configuration. */
export function toPathError(error: unknown, { path, field }: WorkspacePath): unknown {
  if (EngineError.is(error, "environment.path_outside_workspace")) return escapes(path, field);
  // What keeps a file from being there is said of the setting; a place that is lost is not.
  const isOfPlace = !EngineError.is(error) || !error.code.startsWith("environment.") || error.class === "not_available";
  return isOfPlace ? error : new EngineError("config.invalid", { field, problem: error.message }, { cause: error });
}
