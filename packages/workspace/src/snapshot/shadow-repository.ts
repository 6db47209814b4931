import { isAbsolute, join, relative, sep } from "node:path";
import { type ExecutionEnvironment, type GitSetting, guardedGit } from "@switchyard/contracts";
import { type GitOptions, type GitRepository, type GitScript, runGitScript } from "./git-repository.ts";
import { COMPARE, SHADOW_FUNCTIONS } from "./shadow-functions.ts";
import {
  COMPARE_STATE,
  CREATE,
  ENTER,
  ENTER_AND_READ_RAW,
  LIST_CREATED,
  LIST_IGNORED,
  LIST_LARGE,
  OMIT_LARGE,
  PRINT_IGNORED,
  STORE_EMPTY_STATE,
  STORE_STATE,
  WRITE_CLEAN_TREE,
  WRITE_PLAIN_TREE,
  WRITE_TREE,
} from "./shadow-scripts.ts";

/**
 * Separate git repository that stores snapshots of a workspace. It has its own index, objects and settings, so that
 * those of the user's repository stay unchanged.
 */
export interface ShadowRepository {
  /** Stores the current files of the workspace as a git tree, and resolves with the tree's id. */
  writeTree(signal?: AbortSignal): Promise<string>;
  /**
   * Examines the current files of the workspace. Also compares them with the tree `before`, if this needs no additional
   * process.
   */
  look(before: string): Promise<LaterLook>;
  /**
   * Excludes those files, found by the last call of `look` in a folder without git, that are too large or unreadable.
   */
  omitLarge(signal?: AbortSignal): Promise<Bounded>;
  /**
   * Compares the workspace with the snapshot. The comparison includes files that git ignores, and properties that git
   * does not store.
   */
  compare(): Promise<Comparison>;
  /** Resolves with the paths that git ignores, relative to the repository. Folders have a trailing `/`. */
  listIgnored(): Promise<string[]>;
  /** Resolves with the paths of all files in a git tree, relative to the repository. */
  listFiles(tree: string): Promise<string[]>;
  /** Resolves with the files that differ between two git trees. */
  listChanged(before: string, after: string): Promise<ChangedFiles>;
  /** Writes the diff between two git trees to a file. */
  diffTrees(before: string, after: string, options: DiffOptions): Promise<void>;
}

/** Files of a plain folder after large and unreadable files were excluded. */
interface Bounded {
  /** Total size of the included files, in bytes. */
  readonly bytes: number;
  /** Excluded files. */
  readonly omitted: readonly string[];
}

/** State of a workspace. */
interface Look {
  /**
   * Id of the git tree that contains the workspace's files. `undefined` for a plain folder with new files, because
   * these may be too large to store.
   */
  readonly tree?: string | undefined;
  /** New files, relative to the repository. Nested repositories have a trailing `/`. */
  readonly made: readonly string[];
  /**
   * Untracked files that were excluded because they are too large or unreadable. Paths are relative to the workspace.
   */
  readonly large: readonly string[];
}

/** State after a run. */
interface LaterLook extends Look {
  /** Differences from the git tree before the run. `undefined` if they were not computed. */
  readonly changed?: ChangedFiles | undefined;
  /** Result of `compare`. */
  readonly comparison?: Comparison | undefined;
}

/** Files that differ between two git trees. Paths are relative to the repository. */
interface ChangedFiles {
  /** Files that differ between the two trees, or are in only one of them. */
  readonly all: readonly string[];
  /** Files that are only in the later tree. */
  readonly added: readonly string[];
}

/** Differences between the workspace and the snapshot, as lines printed by shell scripts. */
export interface Comparison {
  /**
   * Differing lines of `list_state`, as strings of one character per byte. A single `?` if the earlier or the later
   * state is unknown.
   */
  readonly state: readonly string[];
  /** Lines of `list_repositories`. */
  readonly repositories: readonly string[];
}

/** State of the workspace when the repository for snapshots is created. */
export interface InitialState extends Look {
  readonly shadow: ShadowRepository;
  /**
   * Paths that git ignores and that are therefore not in the git tree, relative to the repository. Folders have a
   * trailing `/`.
   */
  readonly ignored: readonly string[];
}

/** Options for comparing trees. */
interface DiffOptions {
  /** Output file. */
  readonly output: string;
  /** True to include binary contents. */
  readonly hasBinary: boolean;
  /** Excluded paths, relative to the workspace. */
  readonly excluded: readonly string[];
  /** Excluded paths, relative to the repository. */
  readonly excludedFromTop: readonly string[];
}

const DIFF_OPTIONS = ["-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"] as const;
/**
 * Content of an attributes file that disables conversions and filters, so that git stores raw bytes, and detects binary
 * files by their content only.
 */
export const BYTES_ONLY = "* -text -ident !filter !working-tree-encoding !diff\n";

/** Location of the repository for snapshots, and files to exclude. */
export interface ShadowOptions {
  /** Private folder of the runner in the environment of the workspace. */
  readonly scratch: string;
  /** Absolute path of a folder that snapshots do not contain. */
  readonly excluded?: string | undefined;
  /** Exclude patterns, in git's syntax. */
  readonly patterns?: readonly string[] | undefined;
  /** True to include files of any size. If false, large files may be missing in the git tree. */
  readonly isComplete?: boolean | undefined;
  /** Signal that aborts the operation. */
  readonly signal?: AbortSignal | undefined;
}

/** Id of the empty git tree. Git knows this tree even if it is not stored. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Creates a repository for snapshots below a folder, and examines the workspace. */
export async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded, patterns = [], isComplete = false, signal }: ShadowOptions,
): Promise<InitialState> {
  const { runScript } = gitOf(environment, repository, { scratch, excluded });
  const exclude = excludeFileOf(repository, { excluded, patterns });
  const shadow = openShadow(environment, repository, { scratch, excluded });
  if (repository.isPlain === true) {
    const args = [exclude, BYTES_ONLY, "", repository.objectFormat];
    const output = await runScript({ script: CREATE + LIST_CREATED + STORE_STATE + LIST_IGNORED, args }, signal);
    const [made, ignored] = splitAfterList(output);
    return { shadow, made, large: [], ignored: toList(ignored), tree: made.length === 0 ? EMPTY_TREE : undefined };
  }
  // The user's index contains the times and sizes of files, without which git would read all files again.
  const args = [exclude, isComplete ? "" : BYTES_ONLY, repository.index, repository.objectFormat];
  const script = isComplete
    ? `printf '\\0'\n${WRITE_CLEAN_TREE}${LIST_IGNORED}`
    : ENTER_AND_READ_RAW + LIST_LARGE + WRITE_TREE + PRINT_IGNORED;
  const [found, rest] = splitAfterList(await runScript({ script: CREATE + script, args }, signal));
  const large = found.map(withoutDot);
  await omitPaths({ runScript }, fromTop(large, environment, repository));
  const output = large.length === 0 ? rest : await runScript({ script: ENTER + WRITE_TREE + LIST_IGNORED }, signal);
  const end = output.indexOf("\n");
  return { shadow, made: [], large, ignored: toList(output.slice(end + 1)), tree: output.slice(0, end) };
}

/** Returns the content of git's exclude file. */
function excludeFileOf(
  { top }: GitRepository,
  { excluded, patterns = [] }: Pick<ShadowOptions, "excluded" | "patterns">,
): string {
  return [...patterns, ...patternsOf(top, excluded)].map((pattern) => `${pattern}\n`).join("");
}

/**
 * Creates a repository for snapshots of a plain folder that was empty when the run began. `mode` contains the permission
 * bits that the folder then had.
 */
export async function createEmptyShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { mode, ...options }: ShadowOptions & { readonly mode: number },
): Promise<void> {
  const { runScript } = gitOf(environment, repository, options);
  const exclude = excludeFileOf(repository, options);
  const args = [exclude, BYTES_ONLY, "", repository.objectFormat, mode.toString(8)];
  await runScript({ script: CREATE + STORE_EMPTY_STATE, args });
}

/** Excludes paths, relative to the repository, that no git tree contains yet. */
async function omitPaths({ runScript }: Pick<ShadowGit, "runScript">, paths: readonly string[]): Promise<void> {
  const patterns = paths.map((path) => `/${toPattern(path)}\n`).join("");
  // The patterns are passed through standard input, because they may exceed the size limit of arguments.
  const script = 'mkdir -p -- "$GIT_DIR/info" && cat >> "$GIT_DIR/info/exclude"';
  if (patterns !== "") await runScript({ script, stdin: patterns });
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, "");
}

/** Converts paths relative to the workspace to paths relative to its repository. */
function fromTop(
  paths: readonly string[],
  environment: ExecutionEnvironment,
  repository: GitRepository,
): readonly string[] {
  const prefix = prefixOf(environment, repository);
  return paths.map((path) => `${prefix}${path}`);
}

/**
 * Returns the path of the workspace relative to its repository, with a trailing `/`. Empty if the workspace is the top
 * folder.
 */
function prefixOf({ workingDirectory }: ExecutionEnvironment, { top }: GitRepository): string {
  const folder = relative(top, workingDirectory).split(sep).join("/");
  return folder === "" ? "" : `${folder}/`;
}

/** Opens an existing repository for snapshots. */
export function openShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  location: ShadowLocation,
): ShadowRepository {
  const { runScript, run } = gitOf(environment, repository, location);
  const isPlain = repository.isPlain === true;
  const writeTree = async (signal?: AbortSignal): Promise<string> =>
    (await runScript({ script: isPlain ? WRITE_PLAIN_TREE : ENTER + WRITE_TREE }, signal)).trim();
  return {
    writeTree,
    omitLarge: async (signal) => {
      const output = await runScript({ script: OMIT_LARGE }, signal);
      const end = output.indexOf("\n");
      return { bytes: Number(output.slice(0, end)), omitted: toList(output.slice(end + 1)).map(withoutDot) };
    },
    look: async (before) => {
      if (!isPlain) {
        const [found, rest] = splitAfterList(await runScript({ script: COMPARE_STATE, args: [before] }));
        const large = found.map(withoutDot);
        await omitPaths({ runScript }, fromTop(large, environment, repository));
        if (large.length > 0) return { made: [], large, tree: await writeTree() };
        const end = rest.indexOf("\n");
        const [list, comparison] = splitAfterList(rest.slice(end + 1));
        const changed = toChangedFiles(list);
        return { made: [], large, tree: rest.slice(0, end), changed, comparison: toComparison(comparison) };
      }
      const isEmpty = before === EMPTY_TREE;
      const script = isEmpty ? LIST_CREATED : `${LIST_CREATED}[ -s "$GIT_DIR/made" ] && exit\n${WRITE_PLAIN_TREE}`;
      const [made, tree] = splitAfterList(await runScript({ script }));
      if (made.length > 0) return { made, large: [] };
      return { made, large: [], tree: isEmpty ? EMPTY_TREE : tree.trim() };
    },
    compare: async () => {
      const state = isPlain ? 'list_state "$GIT_DIR/state.after"\n' : "";
      const script = `${state}list_repositories "$GIT_DIR/repositories.after"\n${COMPARE}`;
      return toComparison(await runScript({ script }));
    },
    listIgnored: async () => toList(await runScript({ script: LIST_IGNORED })),
    listFiles: async (tree) => toList(await run(["ls-tree", "-r", "-z", "--full-tree", "--name-only", tree])),
    listChanged: async (before, after) => {
      return toChangedFiles(
        toList(await run(["diff-tree", "-r", "-z", "--name-status", "--no-renames", before, after])),
      );
    },
    diffTrees: async (before, after, { output, hasBinary, excluded, excludedFromTop }) => {
      const paths = [
        ...excluded.map((path) => `:(exclude,literal)${path}`),
        ...excludedFromTop.map((path) => `:(top,exclude,literal)${path}`),
      ];
      const shown = hasBinary ? [...DIFF_OPTIONS, "--binary"] : DIFF_OPTIONS;
      const argv = ["diff-tree", ...shown, `--output=${output}`, before, after];
      // `GIT_LITERAL_PATHSPECS` is off for this command, because pathspec magic marks each path as literal.
      await run(paths.length === 0 ? argv : [...argv, "--", ...paths], { hasMagic: paths.length > 0 });
    },
  };
}

/** Parses the output of `git diff-tree --name-status -z`: for each file, the letter of its change and its path. */
function toChangedFiles(list: readonly string[]): ChangedFiles {
  const all = list.filter((_, index) => index % 2 === 1);
  return { all, added: all.filter((_, index) => list[index * 2] === "A") };
}

/** Parses the output of the shell script `COMPARE`. */
function toComparison(output: string): Comparison {
  const [state = "", repositories = ""] = output.split("\0");
  return {
    state: state === "?" ? [state] : toLines(Buffer.from(state, "base64").toString("latin1")),
    repositories: toLines(repositories),
  };
}

function toLines(output: string): string[] {
  return output.split("\n").filter((line) => line !== "");
}

/** Location of a shadow. */
export type ShadowLocation = Pick<ShadowOptions, "scratch" | "excluded">;

/** Runs git commands in the repository for snapshots. */
interface ShadowGit {
  run(argv: readonly string[], options?: { hasMagic: boolean }): Promise<string>;
  runScript(script: GitScript, signal?: AbortSignal): Promise<string>;
}

function gitOf(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded }: ShadowLocation,
): ShadowGit {
  const variables = {
    GIT_DIR: directoryIn(scratch),
    GIT_WORK_TREE: repository.top,
    top: repository.isPlain === true ? "" : repository.top,
    outside: outsideOf(environment.workingDirectory, excluded),
    prefix: prefixOf(environment, repository).replaceAll("\n", "\u0001"),
    ...(repository.isPlain === true ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objects) }),
  };
  const settings: readonly GitSetting[] = [
    ["core.excludesFile", repository.exclude],
    ["core.quotePath", "false"],
    ["core.compression", "1"],
    ["advice.addEmbeddedRepo", "false"],
    ["core.safecrlf", "false"],
    ["core.autocrlf", "false"],
    // Names such as `git~1` are ordinary names on Linux, and a single rejected name would make `git add` fail.
    ["core.protectNTFS", "false"],
    ["core.protectHFS", "false"],
    ["gc.auto", "0"],
  ];
  // `umask` prevents other users from reading the stored contents of the workspace.
  const runScript = ({ script, ...more }: GitScript, options: GitOptions = {}): Promise<string> =>
    runGitScript(
      environment,
      { script: `umask 077\n${SHADOW_FUNCTIONS}${script}`, ...more },
      { variables, settings, ...options },
    );
  return {
    run: (argv, { hasMagic } = { hasMagic: false }) =>
      runScript(
        { script: 'exec git "$@"', args: guardedGit(argv).slice(1) },
        hasMagic ? { variables: { ...variables, GIT_LITERAL_PATHSPECS: "0" } } : {},
      ),
    runScript: (script, signal) => runScript(script, { signal }),
  };
}

/** Splits the output of git into its NUL-terminated entries. */
function toList(output: string): string[] {
  return output.split("\0").filter((path) => path !== "");
}

/** Splits output into a list of NUL-terminated entries, which ends with an empty entry, and the text after the list. */
function splitAfterList(output: string): [entries: string[], rest: string] {
  const end = output.startsWith("\0") ? 0 : output.indexOf("\0\0") + 1;
  return [toList(output.slice(0, end)), output.slice(end + 1)];
}

/** Returns the path of the repository for snapshots. */
export function directoryIn(scratch: string): string {
  return join(scratch, "snapshots.git");
}

/** Returns a `find` pattern for a folder inside the workspace. Empty if the folder is outside. */
function outsideOf(root: string, path: string | undefined): string {
  const inside = path === undefined ? ".." : relative(root, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return "";
  return `./${inside
    .split(sep)
    .join("/")
    .replace(/[*?[\]\\]/g, "\\$&")}`;
}

function patternsOf(top: string, path: string | undefined): string[] {
  const inside = path === undefined ? ".." : relative(top, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return [];
  return [`/${toPattern(inside.split(sep).join("/"))}`];
}

/**
 * Converts a path to a git pattern that matches only this path. A line end is replaced with `?`, because a pattern
 * cannot contain one.
 */
function toPattern(path: string): string {
  return path.replace(/[*?[\]\\!# ]/g, "\\$&").replace(/[\r\n]/g, "?");
}

/**
 * Quotes a path for `GIT_ALTERNATE_OBJECT_DIRECTORIES`, which contains a list of paths, so that separators in the path
 * have no effect.
 */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
