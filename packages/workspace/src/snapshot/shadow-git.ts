import type { ExecutionEnvironment, GitSetting } from "@switchyard/contracts";
import { type GitRepository, type GitScript, runGitScript } from "./git-repository.ts";
import { SHADOW_FUNCTIONS } from "./shadow-functions.ts";
import { directoryIn, outsideOf, prefixOf } from "./shadow-paths.ts";

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

/**
 * Variables for a workspace in a git repository. `limit`: maximum size of an untracked file in a snapshot, in bytes.
 * `threshold`: size above which git stores a file uncompressed. This is git's default.
 */
const LIMITS: Readonly<Record<string, string>> = { limit: String(100 * 1024 * 1024), threshold: "512m" };
/**
 * Variables for a plain folder. Git stores all files in a single pack, because tens of thousands of loose objects would
 * take too much time and space.
 */
const PLAIN_LIMITS: Readonly<Record<string, string>> = { limit: String(10 * 1024 * 1024), threshold: "1" };

/** Runs a script of git commands in the repository for snapshots, and resolves with its output. */
export type RunShadowScript = (script: GitScript, signal?: AbortSignal) => Promise<string>;

/** Returns a function that runs scripts in the repository for snapshots. */
export function gitOf(
  environment: ExecutionEnvironment,
  repository: GitRepository,
  { scratch, excluded }: ShadowLocation,
): RunShadowScript {
  const isPlain = repository.isPlain === true;
  const variables = {
    GIT_DIR: directoryIn(scratch),
    GIT_WORK_TREE: repository.top,
    top: isPlain ? "" : repository.top,
    outside: outsideOf(environment.workingDirectory, excluded),
    ...(isPlain ? PLAIN_LIMITS : LIMITS),
    prefix: prefixOf(environment, repository).replaceAll("\n", "\u0001"),
    ...(isPlain ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objects) }),
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
  return ({ script, ...more }, signal) =>
    runGitScript(
      environment,
      { script: `umask 077\n${SHADOW_FUNCTIONS}${script}`, ...more },
      { variables, settings, signal },
    );
}

/**
 * Quotes a path for `GIT_ALTERNATE_OBJECT_DIRECTORIES`, which contains a list of paths, so that separators in the path
 * have no effect.
 */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
