import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { compileGlob } from "@switchyard/environment";
import type { RequestFiles } from "../../config/custom-engine-config.ts";

/** A file of the workspace that goes with a request. */
export interface SelectedFile {
  /** Path relative to the workspace. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Bytes of all files of a request together. */
const MAX_UPLOAD_BYTES: number = 256 * 1024 * 1024;

const GLOB = /[*?[]/u;
/** Levels of folders that are looked into. */
const MAX_DEPTH = 128;
const VERSION_CONTROL = ".git";

/**
 * The files that the entries of a configuration select, sorted, each once. Version control is left out, and so is what
 * links lead out of the workspace to. Rejects with `input.missing_file` where a required entry selects nothing, before
 * any request. custom-engine: HTTP input files.
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

/** One file by its exact path; nothing where there is none, or where it lies outside. */
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

/** What nobody can read is as if it were not there. */
function isUnavailable(error: unknown): boolean {
  return EngineError.is(error) && error.code.startsWith("environment.") && error.class !== "not_available";
}

/** A name with a line break would end the header that it is written into. */
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

/** The folder that all matches of a pattern lie in. */
function baseOf(pattern: string): string {
  const steps = pattern.split("/").filter((step) => step !== ".");
  const firstGlob = steps.findIndex((step) => GLOB.test(step) || /[\\{]/u.test(step));
  return steps.slice(0, firstGlob).join("/");
}
