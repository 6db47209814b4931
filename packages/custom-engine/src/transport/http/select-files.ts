import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { compileGlob } from "@switchyard/environment";
import type { RequestFiles } from "../../config/custom-engine-config.ts";

/** A workspace file that is sent with a request. */
export interface SelectedFile {
  /** Path relative to the workspace. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Maximum size of all files of a request, in bytes. A larger request is not sent. */
const MAX_UPLOAD_BYTES: number = 256 * 1024 * 1024;

const GLOB = /[*?[]/u;
/** Maximum depth of folders to search. */
const MAX_DEPTH = 128;
const VERSION_CONTROL = ".git";

/**
 * Resolves with the files that a configuration selects, sorted and without duplicates. Skips version control data, and
 * links that lead outside the workspace. Rejects with `input.missing_file`, before any request, if a required entry
 * matches no file. See custom-engine: HTTP input files.
 */
export async function selectFiles(
  entries: readonly RequestFiles[],
  environment: ExecutionEnvironment,
): Promise<readonly SelectedFile[]> {
  const selected = new Map<string, SelectedFile>();
  for (const [index, entry] of entries.entries()) {
    const found = GLOB.test(entry.path)
      ? await matchesOf(entry.path, environment)
      : await fileAt(entry.path, environment);
    const field = `engine.custom.http.files[${index}]`;
    if (found.length === 0 && entry.isRequired) {
      throw new EngineError("config.invalid", { field, problem: `"${entry.path}" matched no files in the workspace` });
    }
    for (const file of found) selected.set(file.path, file);
  }
  const files = [...selected.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  assertSize(files);
  return files;
}

function assertSize(files: readonly SelectedFile[]): void {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= MAX_UPLOAD_BYTES) return;
  const problem = `total upload exceeds ${MAX_UPLOAD_BYTES} bytes (${total} in ${files.length} files)`;
  throw new EngineError("config.invalid", { field: "engine.custom.http.files", problem });
}

/** Resolves with one file by its exact path; `undefined` if the file does not exist or is outside the workspace. */
async function fileAt(path: string, environment: ExecutionEnvironment): Promise<SelectedFile[]> {
  const clean = path
    .split("/")
    .filter((step) => step !== "." && step !== "")
    .join("/");
  try {
    const { kind, size } = await environment.stat(clean);
    return kind === "file" && isSendable(clean) ? [{ path: clean, size }] : [];
  } catch (error) {
    if (isUnavailable(error)) return [];
    throw error;
  }
}

/** Returns true if an unreadable file counts as missing. */
function isUnavailable(error: unknown): boolean {
  return EngineError.is(error) && error.code.startsWith("environment.") && error.class !== "not_available";
}

/** Returns false for a file name with a line break, which would end the header that contains the name. */
function isSendable(path: string): boolean {
  return !/[\r\n\0]/u.test(path);
}

async function matchesOf(pattern: string, environment: ExecutionEnvironment): Promise<SelectedFile[]> {
  const matches = compileGlob(pattern);
  const base = baseOf(pattern);
  const listed = await environment.listDirectory(base === "" ? "." : base, MAX_DEPTH).catch((error: unknown) => {
    if (isUnavailable(error)) return [];
    throw error;
  });
  const found: SelectedFile[] = [];
  for (const { name, kind, size } of listed) {
    const path = base === "" ? name : `${base}/${name}`;
    if (path.split("/").includes(VERSION_CONTROL) || !isSendable(path) || !matches(path)) continue;
    if (kind === "file" && size !== undefined) found.push({ path, size });
    else if (kind === "symlink" || kind === "file") found.push(...(await fileAt(path, environment)));
  }
  return found;
}

/** Returns the innermost folder that contains all possible matches of a glob pattern. */
function baseOf(pattern: string): string {
  const steps = pattern.split("/").filter((step) => step !== ".");
  const firstGlob = steps.findIndex((step) => GLOB.test(step) || /[\\{]/u.test(step));
  return steps.slice(0, firstGlob).join("/");
}
