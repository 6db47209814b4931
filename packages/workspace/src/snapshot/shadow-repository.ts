import { isAbsolute, join, relative, sep } from "node:path";
import { type ExecutionEnvironment, type GitSetting, guardedGit } from "@switchyard/contracts";
import { type GitOptions, type GitRepository, type GitScript, runGitScript } from "./git-repository.ts";
import { COMPARE, SHADOW_FUNCTIONS } from "./shadow-functions.ts";
import {
  CREATE,
  ENTER,
  ENTER_AND_READ_RAW,
  KEEP_STATE,
  LEAVE_OUT_LARGE,
  LIST_IGNORED,
  LIST_LARGE,
  LIST_MADE,
  LOOK_AGAIN,
  PRINT_IGNORED,
  WRITE_CLEAN_TREE,
  WRITE_PLAIN_TREE,
  WRITE_TREE,
} from "./shadow-scripts.ts";

/** The repository of the snapshots: index, objects and settings of its own, so that the user's stay as they are. */
export interface ShadowRepository {
  /** Writes the workspace as it is now as a tree, and gives the tree's id. */
  writeTree(signal?: AbortSignal): Promise<string>;
  /** What there is of the workspace now, beside the tree of before, and how it differs if that needs no other process. */
  look(before: string): Promise<LaterLook>;
  /** Leaves files out of a plain folder that are too large or cannot be read, of those that the last look found. */
  leaveOutLarge(signal?: AbortSignal): Promise<Bounded>;
  /** Compares everything in the workspace with the snapshot: also what git ignores or does not store. */
  compare(): Promise<Comparison>;
  /** Paths that git ignores, relative to the repository; folders as a whole with `/` at the end. */
  listIgnored(): Promise<string[]>;
  /** All files of a tree, as paths relative to the repository. */
  listFiles(tree: string): Promise<string[]>;
  /** What differs from one tree to another. */
  listChanged(before: string, after: string): Promise<ChangedFiles>;
  /** Writes what changed from one tree to another as a diff, into a file. */
  diffTrees(before: string, after: string, options: DiffOptions): Promise<void>;
}

/** Files of a plain folder within bounds, and beyond them. */
interface Bounded {
  /** Size of the files that stay, in bytes. */
  readonly bytes: number;
  /** Files that were left out. */
  readonly left: readonly string[];
}

/** What there is of a workspace. */
interface Look {
  /** Id of its tree; none of a plain folder with something in it that is in no tree, since that may be too much for one. */
  readonly tree?: string | undefined;
  /** What that is, as paths relative to the repository; inner repositories end with `/`. */
  readonly made: readonly string[];
  /** Files of a repository that git does not know and that were left out: too large, or not readable; relative to the workspace. */
  readonly large: readonly string[];
}

/** What there is after a run. */
interface LaterLook extends Look {
  /** How `tree` differs from the tree of before. */
  readonly changed?: ChangedFiles | undefined;
  /** Outcome of `compare`. */
  readonly comparison?: Comparison | undefined;
}

/** What differs from one tree to another, as paths relative to the repository. */
interface ChangedFiles {
  /** What is in one of them only, or differs. */
  readonly all: readonly string[];
  /** What is in the later one only. */
  readonly added: readonly string[];
}

/** What differs from the snapshot, line by line as the scripts print it. */
export interface Comparison {
  /** Lines of `list_state`, one character per byte. A single `?` if the state before or after is unknown. */
  readonly state: readonly string[];
  /** Lines of `list_repositories`. */
  readonly repositories: readonly string[];
}

/** What is there when a shadow is made. */
export interface InitialState extends Look {
  readonly shadow: ShadowRepository;
  /** What is no part of a tree: paths relative to the repository, folders as a whole with `/` at the end. */
  readonly ignored: readonly string[];
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
/**
 * Files are their bytes, whatever attributes the repository has: no conversion and no filter. Contents alone decide which files
 * are binary.
 */
export const BYTES_ONLY = "* -text -ident !filter !working-tree-encoding !diff\n";

/** Where a shadow is made, and what it looks away from. */
export interface ShadowOptions {
  /** Folder of the runner's own, where the workspace is. */
  readonly scratch: string;
  /** Folder that is not looked at, as an absolute path. */
  readonly excluded?: string | undefined;
  /** Patterns of what is left out, as git knows them. */
  readonly patterns?: readonly string[] | undefined;
  /** Whether files of a repository are in its tree however large they are; otherwise the tree would not be everything. */
  readonly isWhole?: boolean | undefined;
  /** Gives up when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** The tree of a folder in which there is nothing; git knows it, nobody has to write it. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Makes the shadow of a repository below a folder, and looks at what is there. */
export async function createShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded, patterns = [], isWhole = false, signal }: ShadowOptions,
): Promise<InitialState> {
  const { runScript } = gitOf(environment, repository, { scratch, excluded });
  const exclude = [...patterns, ...patternsOf(repository.top, excluded)].map((pattern) => `${pattern}\n`).join("");
  const shadow = openShadow(environment, repository, { scratch, excluded });
  if (repository.isPlain === true) {
    const words = [exclude, BYTES_ONLY, "", repository.objectFormat];
    const output = await runScript({ script: CREATE + LIST_MADE + KEEP_STATE + LIST_IGNORED, words }, signal);
    const [made, ignored] = splitAfterList(output);
    return { shadow, made, large: [], ignored: toList(ignored), tree: made.length === 0 ? EMPTY_TREE : undefined };
  }
  // With times and sizes only files that changed since are read again; without an index all of them are.
  const words = [exclude, isWhole ? "" : BYTES_ONLY, repository.index, repository.objectFormat];
  const script = isWhole
    ? `printf '\\0'\n${WRITE_CLEAN_TREE}${LIST_IGNORED}`
    : ENTER_AND_READ_RAW + LIST_LARGE + WRITE_TREE + PRINT_IGNORED;
  const [found, rest] = splitAfterList(await runScript({ script: CREATE + script, words }, signal));
  const large = found.map(withoutDot);
  await leaveOut({ runScript }, fromTop(large, environment, repository));
  const output = large.length === 0 ? rest : await runScript({ script: ENTER + WRITE_TREE + LIST_IGNORED }, signal);
  const end = output.indexOf("\n");
  return { shadow, made: [], large, ignored: toList(output.slice(end + 1)), tree: output.slice(0, end) };
}

/** Leaves paths out that are relative to the repository and in no tree yet. */
async function leaveOut({ runScript }: Pick<ShadowGit, "runScript">, paths: readonly string[]): Promise<void> {
  const patterns = paths.map((path) => `/${toPattern(path)}\n`).join("");
  // By a pipe: they may be more than arguments can hold.
  const script = 'mkdir -p -- "$GIT_DIR/info" && cat >> "$GIT_DIR/info/exclude"';
  if (patterns !== "") await runScript({ script, stdin: patterns });
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, "");
}

/** Paths that are relative to the workspace as paths of its repository. */
function fromTop(
  paths: readonly string[],
  environment: ExecutionEnvironment,
  repository: GitRepository,
): readonly string[] {
  const prefix = prefixOf(environment, repository);
  return paths.map((path) => `${prefix}${path}`);
}

/** Path of the workspace in its repository, with `/` at its end; empty if they are the same. */
function prefixOf({ workingDirectory }: ExecutionEnvironment, { top }: GitRepository): string {
  const folder = relative(top, workingDirectory).split(sep).join("/");
  return folder === "" ? "" : `${folder}/`;
}

/** The shadow of a repository that was made below a folder before. */
export function openShadow(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  place: ShadowLocation,
): ShadowRepository {
  const { runScript, run } = gitOf(environment, repository, place);
  const isPlain = repository.isPlain === true;
  const writeTree = async (signal?: AbortSignal): Promise<string> =>
    (await runScript({ script: isPlain ? WRITE_PLAIN_TREE : ENTER + WRITE_TREE }, signal)).trim();
  return {
    writeTree,
    leaveOutLarge: async (signal) => {
      const output = await runScript({ script: LEAVE_OUT_LARGE }, signal);
      const end = output.indexOf("\n");
      return { bytes: Number(output.slice(0, end)), left: toList(output.slice(end + 1)).map(withoutDot) };
    },
    look: async (before) => {
      if (!isPlain) {
        const [found, rest] = splitAfterList(await runScript({ script: LOOK_AGAIN, words: [before] }));
        const large = found.map(withoutDot);
        await leaveOut({ runScript }, fromTop(large, environment, repository));
        if (large.length > 0) return { made: [], large, tree: await writeTree() };
        const end = rest.indexOf("\n");
        const [list, comparison] = splitAfterList(rest.slice(end + 1));
        const changed = toChangedFiles(list);
        return { made: [], large, tree: rest.slice(0, end), changed, comparison: toComparison(comparison) };
      }
      const isEmpty = before === EMPTY_TREE;
      const script = isEmpty ? LIST_MADE : `${LIST_MADE}[ -s "$GIT_DIR/made" ] && exit\n${WRITE_PLAIN_TREE}`;
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
      // Paths are literal everywhere else; here the magic says so of each.
      await run(paths.length === 0 ? argv : [...argv, "--", ...paths], { hasMagic: paths.length > 0 });
    },
  };
}

/** Of a list with the letter of each change before its path. */
function toChangedFiles(list: readonly string[]): ChangedFiles {
  const all = list.filter((_, index) => index % 2 === 1);
  return { all, added: all.filter((_, index) => list[index * 2] === "A") };
}

/** Of what `COMPARE` prints. */
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

/** How git is run in a shadow. */
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
    ["gc.auto", "0"],
  ];
  // What is in the workspace is nobody else's to read.
  const runScript = ({ script, ...more }: GitScript, options: GitOptions = {}): Promise<string> =>
    runGitScript(
      environment,
      { script: `umask 077\n${SHADOW_FUNCTIONS}${script}`, ...more },
      { variables, settings, ...options },
    );
  return {
    run: (argv, { hasMagic } = { hasMagic: false }) =>
      runScript(
        { script: 'exec git "$@"', words: guardedGit(argv).slice(1) },
        hasMagic ? { variables: { ...variables, GIT_LITERAL_PATHSPECS: "0" } } : {},
      ),
    runScript: (script, signal) => runScript(script, { signal }),
  };
}

/** Entries of a list, each with its end. */
function toList(output: string): string[] {
  return output.split("\0").filter((path) => path !== "");
}

/** The entries of a list with an empty one behind them, and what follows. */
function splitAfterList(output: string): [entries: string[], rest: string] {
  const end = output.startsWith("\0") ? 0 : output.indexOf("\0\0") + 1;
  return [toList(output.slice(0, end)), output.slice(end + 1)];
}

/** Folder of the repository below the runner's own. */
export function directoryIn(scratch: string): string {
  return join(scratch, "snapshots.git");
}

/** A folder of the workspace as a pattern of `find`; empty if the folder is elsewhere. */
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

/** A path as a pattern of git that means this path. A line has no other way to hold an end of line. */
function toPattern(path: string): string {
  return path.replace(/[*?[\]\\!# ]/g, "\\$&").replace(/[\r\n]/g, "?");
}

/** The variable is a list of paths; quoting keeps one that holds the separator in one piece. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
