import { mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { FILE_MODE, FOLDER_MODE } from "../run-files/run-files.ts";
import { type GitOptions, type GitRepository, runGit } from "./git-repository.ts";

/** The repository of the snapshots: index, objects and settings of its own, so that the user's stay as they are. */
export interface ShadowRepository {
  /** Writes the workspace as it is now as a tree, and gives the tree's id. */
  writeTree(signal?: AbortSignal): Promise<string>;
  /** What changed from one tree to another, as a unified diff; `excluded` paths are relative to the workspace. */
  diffTrees(before: string, after: string, excluded: readonly string[]): Promise<string>;
}

const DIFF_OPTIONS = ["-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"] as const;

/** Makes the shadow of a repository below a folder. */
export async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded }: { scratch: string; excluded?: string | undefined },
): Promise<ShadowRepository> {
  const directory = directoryIn(scratch);
  const format = `--object-format=${repository.objectFormat}`;
  await runGit(environment, ["init", "--quiet", "--bare", "--template=", format, directory]);
  await exclude(directory, repository.top, excluded);
  // With its times and sizes only files that changed since are read again; without an index all of them are.
  await environment.exec(["cp", "--", repository.index, join(directory, "index")], { env: { policy: "core" } });
  return openShadow(environment, repository, scratch);
}

/** The shadow of a repository that was made below a folder before. */
export function openShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  scratch: string,
): ShadowRepository {
  const variables = {
    GIT_DIR: directoryIn(scratch),
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
  const git: Git = (argv, more = {}) => runGit(environment, argv, { ...more, variables, settings });
  return {
    writeTree: async (signal) => {
      await forgetInnerRepositories(git, signal);
      await git(["add", "--all", "--", "."], { signal });
      return (await git(["write-tree", "--missing-ok"], { signal })).trim();
    },
    diffTrees: (before, after, excluded) => {
      const paths = excluded.map((path) => `:(exclude,literal)${path}`);
      // Paths are literal everywhere else; here the magic says so of each.
      const options = paths.length === 0 ? {} : { variables: { ...variables, GIT_LITERAL_PATHSPECS: "0" }, settings };
      const argv = ["diff-tree", ...DIFF_OPTIONS, before, after, ...(paths.length === 0 ? [] : ["--", ...paths])];
      return paths.length === 0 ? git(argv) : runGit(environment, argv, options);
    },
  };
}

type Git = (argv: readonly string[], options?: Pick<GitOptions, "stdin" | "signal">) => Promise<string>;

function directoryIn(scratch: string): string {
  return join(scratch, "snapshots.git");
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

/**
 * Git asks a repository inside of this one for its state when it is in the index, and would run there what that one
 * configures; as one that it does not know yet, it only reads which commit is checked out.
 */
async function forgetInnerRepositories(git: Git, signal?: AbortSignal): Promise<void> {
  const entries = (await git(["ls-files", "--stage", "-z"], { signal })).split("\0");
  const inner = entries
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.slice(entry.indexOf("\t") + 1));
  if (inner.length === 0) return;
  await git(["update-index", "--force-remove", "-z", "--stdin"], { stdin: `${inner.join("\0")}\0` });
}

/** The variable is a list of paths; quoting keeps one that holds the separator in one piece. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
