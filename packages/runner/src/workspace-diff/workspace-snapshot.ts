import { mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { FILE_MODE, FOLDER_MODE } from "../run-store/durable-file.ts";
import { findRepository, GitFailure, type GitOptions, type GitRepository, runGit } from "./git-repository.ts";

/** How a snapshot is taken. */
export interface SnapshotOptions {
  /** Folder of the runner's own for git's files, on this machine; made and left there. */
  scratch: string;
  /** Folder that is not looked at although it may lie in the workspace, as an absolute path. */
  excluded?: string | undefined;
  /** Gives the snapshot up when it fires; its diff is not affected. */
  signal?: AbortSignal | undefined;
}

/** The state of a git workspace at one moment. */
export interface WorkspaceSnapshot {
  /** What changed since, files that git does not know included, as a unified diff. Throws when git fails. */
  diff(): Promise<string>;
}

/**
 * Takes a snapshot of a git workspace; nothing where the workspace is none. Throws when git fails.
 *
 * The repository is only read: snapshots live in a repository of their own with an index, objects and settings of
 * its own, so that neither the user's index is touched nor anything run that the workspace's repository configures
 * (filters, hooks, monitors, diff programs). architecture: decision 26.
 */
export async function takeSnapshot(
  environment: ExecutionEnvironment,
  options: SnapshotOptions,
): Promise<WorkspaceSnapshot | undefined> {
  const repository = await findRepository(environment, options.signal).catch(async (error: unknown) => {
    if (error instanceof GitFailure && !(await looksLikeRepository(environment))) return undefined;
    throw error;
  });
  if (repository === undefined) return undefined;
  const shadow = await createShadow(environment, repository, options);
  const before = await writeTree(shadow, options.signal);
  return {
    diff: async () => {
      const after = await writeTree(shadow);
      return before === after ? "" : shadow.git(["diff-tree", ...DIFF_OPTIONS, before, after]);
    },
  };
}

const DIFF_OPTIONS = ["-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"] as const;

/** The repository of the snapshots. */
interface Shadow {
  git(argv: readonly string[], options?: Pick<GitOptions, "stdin" | "signal">): Promise<string>;
}

async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  options: SnapshotOptions,
): Promise<Shadow> {
  const directory = join(options.scratch, "snapshots.git");
  const format = `--object-format=${repository.objectFormat}`;
  await runGit(environment, ["init", "--quiet", "--bare", "--template=", format, directory]);
  await exclude(directory, repository.top, options.excluded);
  // With its times and sizes only files that changed since are read again; without an index all of them are.
  await environment.exec(["cp", "--", repository.index, join(directory, "index")], { env: { policy: "core" } });
  const variables = {
    GIT_DIR: directory,
    GIT_WORK_TREE: repository.top,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objects),
  };
  const settings = [
    `core.excludesFile=${repository.exclude}`,
    "core.quotePath=false",
    "core.compression=1",
    "advice.addEmbeddedRepo=false",
    "core.safecrlf=false",
    "core.autocrlf=false",
    "gc.auto=0",
  ];
  return {
    git: (argv, more = {}) => runGit(environment, argv, { ...more, variables, settings }),
  };
}

async function exclude(directory: string, top: string, path: string | undefined): Promise<void> {
  const inside = path === undefined ? ".." : relative(top, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return;
  await mkdir(join(directory, "info"), { mode: FOLDER_MODE });
  const pattern = inside
    .split(sep)
    .join("/")
    .replace(/[*?[\]\\!# ]/g, "\\$&");
  await writeFile(join(directory, "info", "exclude"), `/${pattern}\n`, { mode: FILE_MODE });
}

/** Writes the workspace as it is now as a tree, and gives the tree's id. */
async function writeTree(shadow: Shadow, signal?: AbortSignal): Promise<string> {
  await forgetInnerRepositories(shadow, signal);
  await shadow.git(["add", "--all", "--", "."], { signal });
  return (await shadow.git(["write-tree", "--missing-ok"], { signal })).trim();
}

/**
 * Git asks a repository inside of this one for its state when it is in the index, and would run there what that one
 * configures; as one that it does not know yet, it only reads which commit is checked out.
 */
async function forgetInnerRepositories(shadow: Shadow, signal?: AbortSignal): Promise<void> {
  const entries = (await shadow.git(["ls-files", "--stage", "-z"], { signal })).split("\0");
  const inner = entries
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
  if (inner.length === 0) return;
  await shadow.git(["update-index", "--force-remove", "-z", "--stdin"], { stdin: `${inner.join("\0")}\0` });
}

async function looksLikeRepository(environment: ExecutionEnvironment): Promise<boolean> {
  return environment.exists(".git").catch(() => false);
}

/** The variable is a list of paths; quoting keeps one that holds the separator in one piece. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
