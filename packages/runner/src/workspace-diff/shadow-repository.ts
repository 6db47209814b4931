import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { type GitOptions, type GitRepository, runGit } from "./git-repository.ts";

/** The repository of the snapshots: index, objects and settings of its own, so that the user's stay as they are. */
export interface ShadowRepository {
  /** Writes the workspace as it is now as a tree, and gives the tree's id. */
  writeTree(signal?: AbortSignal): Promise<string>;
  /** What is there and is no part of a tree: paths relative to the repository, folders as a whole with `/` at the end. */
  listIgnored(signal?: AbortSignal): Promise<string[]>;
  /** What is there and in no tree yet, as paths relative to the repository; inner repositories end with `/`. */
  listNew(signal?: AbortSignal): Promise<string[]>;
  /** Leaves paths out that are relative to the repository and in no tree yet. */
  leaveOut(paths: readonly string[]): Promise<void>;
  /** What was added from one tree to another, as paths relative to the repository. */
  listAdded(before: string, after: string): Promise<string[]>;
  /** Writes what changed from one tree to another as a diff, into a file. */
  diffTrees(before: string, after: string, options: DiffOptions): Promise<void>;
}

/** How two trees are compared. */
interface DiffOptions {
  /** File that is written. */
  readonly output: string;
  /** Whether the contents of binary files are in it. */
  readonly hasBinary: boolean;
  /** What is left out, relative to the workspace. */
  readonly excluded: readonly string[];
  /** What is left out, relative to the repository. */
  readonly excludedFromTop: readonly string[];
}

const DIFF_OPTIONS = ["-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"] as const;
/** Every file goes into one pack: tens of thousands of loose ones would take their time, and their place. */
const INTO_ONE_PACK = "core.bigFileThreshold=1";
/** In a plain folder files are their bytes: nobody checks them out. */
const BYTES_ONLY = "* -text -ident !filter !working-tree-encoding\n";

/** Where a shadow is made, and what it looks away from. */
export interface ShadowOptions {
  /** Folder of the runner's own, where the workspace is. */
  readonly scratch: string;
  /** Folder that is not looked at, as an absolute path. */
  readonly excluded?: string | undefined;
  /** Patterns of what is left out, as git knows them. */
  readonly patterns?: readonly string[] | undefined;
}

/** Makes the shadow of a repository below a folder. */
export async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded, patterns = [] }: ShadowOptions,
): Promise<ShadowRepository> {
  const directory = directoryIn(scratch);
  const format = `--object-format=${repository.objectFormat}`;
  await runGit(environment, ["init", "--quiet", "--bare", "--template=", format, directory]);
  const lines = [...patterns, ...patternsOf(repository.top, excluded)].map((pattern) => `${pattern}\n`);
  if (lines.length > 0) await addTo(environment, join(directory, "info", "exclude"), lines.join(""));
  if (repository.isPlain === true) {
    await addTo(environment, join(directory, "info", "attributes"), BYTES_ONLY);
  } else {
    // With its times and sizes only files that changed since are read again; without an index all of them are.
    await environment.exec(["cp", "--", repository.index, join(directory, "index")], { env: { policy: "core" } });
  }
  return openShadow(environment, repository, scratch);
}

/** The shadow of a repository that was made below a folder before. */
export function openShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  scratch: string,
): ShadowRepository {
  const git = gitOf(environment, repository, scratch);
  const list = async (argv: readonly string[], signal?: AbortSignal): Promise<string[]> =>
    (await git(argv, { signal })).split("\0").filter((path) => path !== "");
  return {
    writeTree: async (signal) => {
      if (repository.isPlain !== true) await forgetInnerRepositories(git, signal);
      await git(["add", "--all", "--", "."], {
        signal,
        more: repository.isPlain === true ? [INTO_ONE_PACK] : [],
      });
      return (await git(["write-tree", "--missing-ok"], { signal })).trim();
    },
    listIgnored: (signal) =>
      list(["ls-files", "-z", "--full-name", "-o", "-i", "--exclude-standard", "--directory"], signal),
    listNew: (signal) => list(["ls-files", "-z", "--full-name", "--others", "--exclude-standard"], signal),
    leaveOut: async (paths) => {
      const patterns = paths.map((path) => `/${toPattern(path)}\n`).join("");
      if (patterns !== "") await addTo(environment, join(directoryIn(scratch), "info", "exclude"), patterns);
    },
    listAdded: (before, after) =>
      list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", before, after]),
    diffTrees: async (before, after, { output, hasBinary, excluded, excludedFromTop }) => {
      const paths = [
        ...excluded.map((path) => `:(exclude,literal)${path}`),
        ...excludedFromTop.map((path) => `:(top,exclude,literal)${path}`),
      ];
      const shown = hasBinary ? [...DIFF_OPTIONS, "--binary"] : DIFF_OPTIONS;
      const argv = ["diff-tree", ...shown, `--output=${output}`, before, after];
      // Paths are literal everywhere else; here the magic says so of each.
      await git(paths.length === 0 ? argv : [...argv, "--", ...paths], { hasMagic: paths.length > 0 });
    },
  };
}

/** Adds lines to a file of git's, where the workspace is; only its owner reads it. */
async function addTo(environment: ExecutionEnvironment, path: string, lines: string): Promise<void> {
  const script = 'umask 077 && mkdir -p -- "$1" && cat >> "$2"';
  const argv = ["sh", "-c", script, "sh", dirname(path), path];
  const { exitCode, stderr } = await environment.exec(argv, { env: { policy: "core" }, stdin: lines });
  if (exitCode !== 0) throw new Error(`${path} cannot be written: ${stderr.trim()}`);
}

/** How git is run in a shadow. */
interface ShadowGitOptions extends Pick<GitOptions, "stdin" | "signal"> {
  /** Settings on top. */
  more?: readonly string[] | undefined;
  /** Whether paths may begin with a magic word. */
  hasMagic?: boolean | undefined;
}

type Git = (argv: readonly string[], options?: ShadowGitOptions) => Promise<string>;

function gitOf(environment: ExecutionEnvironment, repository: GitRepository, scratch: string): Git {
  const variables = {
    GIT_DIR: directoryIn(scratch),
    GIT_WORK_TREE: repository.top,
    ...(repository.isPlain === true ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objects) }),
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
  return (argv, { stdin, signal, more = [], hasMagic = false } = {}) =>
    runGit(environment, argv, {
      ...{ stdin, signal },
      variables: hasMagic ? { ...variables, GIT_LITERAL_PATHSPECS: "0" } : variables,
      settings: [...settings, ...more],
    });
}

/** Folder of the repository below the runner's own. */
export function directoryIn(scratch: string): string {
  return join(scratch, "snapshots.git");
}

function patternsOf(top: string, path: string | undefined): string[] {
  const inside = path === undefined ? ".." : relative(top, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return [];
  return [`/${toPattern(inside.split(sep).join("/"))}`];
}

/** A path as a pattern of git that means this path. A line has no other way to hold an end of line. */
function toPattern(path: string): string {
  return path.replace(/[*?[\]\\!# ]/g, "\\$&").replace(/[\r\n]/g, "?");
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
