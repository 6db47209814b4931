import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import { NOT_WRITTEN } from "./shadow-functions.ts";
import type { FirstLook } from "./shadow-repository.ts";

/** Most files of a snapshot of a plain folder: half a million would be copied for minutes before a run begins. */
const MAX_FILES = 100_000;
/** Most bytes of these files together. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Files beyond this many bytes are left out. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const LIST_TIMEOUT_MS = 30_000;

/** A folder that is in no repository, or in one that ignores it, as one of its own. */
export function plainRepository(environment: ExecutionEnvironment): GitRepository {
  const top = environment.workingDirectory;
  return { top, objectFormat: "sha1", objects: "", index: "", exclude: "/dev/null", isPlain: true };
}

/** What is left out of a plain folder, as paths relative to it. */
export interface LeftOut {
  /** Files that are too large, or cannot be read. */
  readonly tooLarge: readonly string[];
}

/**
 * Prepares a plain folder for its tree: leaves out what is too large or cannot be read, of what was made since the tree before. Throws when there is too much of it.
 */
export async function boundPlainFolder(
  environment: ExecutionEnvironment,
  { shadow, made }: Pick<FirstLook, "shadow" | "made">,
  signal?: AbortSignal,
): Promise<LeftOut> {
  // An inner repository that cannot be entered.
  const all = made.filter((path) => !path.endsWith("/"));
  if (all.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
  const bytes = await sizeOf(environment, all, signal);
  // Together they are as large as the largest of them at least.
  const large = new Set(bytes > MAX_FILE_BYTES ? await listLarge(environment, signal) : []);
  for (const path of await listUnreadable(environment, all, signal)) large.add(path);
  const tooLarge = all.filter((path) => large.has(path));
  await shadow.leaveOut(tooLarge);
  const files = all.filter((path) => !large.has(path));
  if (bytes > MAX_BYTES && (await sizeOf(environment, files, signal)) > MAX_BYTES) {
    throw new Error(`there are more than ${MAX_BYTES / 1024 / 1024} MiB of files`);
  }
  return { tooLarge };
}

async function listLarge(environment: ExecutionEnvironment, signal?: AbortSignal): Promise<string[]> {
  const names = [".git", ...NOT_WRITTEN].flatMap((name, index) => [...(index === 0 ? [] : ["-o"]), "-name", name]);
  const isLarge = ["-type", "f", "-size", `+${MAX_FILE_BYTES}c`];
  const argv = ["find", ".", "-type", "d", "(", ...names, ")", "-prune", "-o", ...isLarge, "-print0"];
  // What it may not enter it complains about, and lists the others.
  const { stdout } = await environment.exec(argv, { env: { policy: "core" }, timeoutMs: LIST_TIMEOUT_MS, signal });
  return stdout.split("\0").flatMap((path) => (path === "" ? [] : [path.replace(/^\.\//, "")]));
}

/** Those that git could not read: with one of them it adds none. */
async function listUnreadable(
  environment: ExecutionEnvironment,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (files.length === 0) return [];
  // A name that is not UTF-8 comes with bytes replaced by U+FFFD: what does not exist is such a one.
  const script = `mark=$(printf '\\357\\277\\275')
for path do
  case $path in *"$mark"*) [ -e "./$path" ] || continue ;; esac
  [ -r "./$path" ] || [ -L "./$path" ] || printf "%s\\0" "$path"
done`;
  const { stdout } = await environment.exec(["xargs", "-0", "sh", "-c", script, "sh"], {
    ...{ env: { policy: "core" }, timeoutMs: LIST_TIMEOUT_MS, signal },
    stdin: files.join("\0"),
  });
  return stdout.split("\0").filter((path) => path !== "");
}

async function sizeOf(
  environment: ExecutionEnvironment,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  if (files.length === 0) return 0;
  // Links are not followed, and nothing is opened.
  const { stdout } = await environment.exec(["xargs", "-0", "ls", "-lnd", "--"], {
    ...{ env: { policy: "core", set: { LC_ALL: "C" } }, timeoutMs: LIST_TIMEOUT_MS, signal },
    stdin: files.join("\0"),
    maxOutputChars: 64 * 1024 * 1024,
  });
  let sum = 0;
  for (const [, size] of stdout.matchAll(/^\S+ +\d+ +\d+ +\d+ +(\d+) /gm)) sum += Number(size);
  return sum;
}
