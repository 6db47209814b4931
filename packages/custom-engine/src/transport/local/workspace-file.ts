import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { isOutsideRoot } from "../../config/problem-of-path.ts";

/** A resolved path of the configuration. */
export interface WorkspacePath {
  /** Configuration field that specifies the file. */
  readonly field: string;
  /** Absolute path in the environment. */
  readonly path: string;
}

/**
 * Returns an absolute path inside the workspace. Symbolic links are checked by the environment at each use. Throws
 * `config.path_outside_workspace`. See custom-engine: workspace confinement.
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
  if (isOutsideRoot(written)) throw escapes(written, field);
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

/**
 * Resolves with the kind of entry at a path; `undefined` if there is none. Rejects if the path leads outside the
 * workspace.
 */
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

/** Converts an error of the environment to an error about the configuration. */
export function toPathError(error: unknown, { path, field }: WorkspacePath): unknown {
  if (EngineError.is(error, "environment.path_outside_workspace")) return escapes(path, field);
  // Errors about the file are reported as errors of the configuration field.
  // Errors of the environment itself are passed on unchanged.
  const isEnvironmentError =
    !EngineError.is(error) || !error.code.startsWith("environment.") || error.class === "not_available";
  return isEnvironmentError
    ? error
    : new EngineError("config.invalid", { field, problem: error.message }, { cause: error });
}
