import { type ExecutionEnvironment, type GitSetting, guardedGit } from "@switchyard/contracts";
import { type GitOptions, type GitRepository, type GitScript, runGitScript } from "./git-repository.ts";
import { SHADOW_FUNCTIONS } from "./shadow-functions.ts";
import { directoryIn, outsideOf, prefixOf, toPattern } from "./shadow-paths.ts";

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

/** Location of a shadow. */
export type ShadowLocation = Pick<ShadowOptions, "scratch" | "excluded">;

/** Runs git commands in the repository for snapshots. */
export interface ShadowGit {
  run(argv: readonly string[], options?: { hasMagic: boolean }): Promise<string>;
  runScript(script: GitScript, signal?: AbortSignal): Promise<string>;
}

/** Returns functions that run git commands in the repository for snapshots. */
export function gitOf(
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

/** Excludes paths, relative to the repository, that no git tree contains yet. */
export async function omitPaths({ runScript }: Pick<ShadowGit, "runScript">, paths: readonly string[]): Promise<void> {
  const patterns = paths.map((path) => `/${toPattern(path)}\n`).join("");
  // The patterns are passed through standard input, because they may exceed the size limit of arguments.
  const script = 'mkdir -p -- "$GIT_DIR/info" && cat >> "$GIT_DIR/info/exclude"';
  if (patterns !== "") await runScript({ script, stdin: patterns });
}

/**
 * Quotes a path for `GIT_ALTERNATE_OBJECT_DIRECTORIES`, which contains a list of paths, so that separators in the path
 * have no effect.
 */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
