import {
  disableGitFilters,
  type ExecResult,
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  gitMessage,
  guardedGit,
  toGitVariables,
} from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";

/** Time limit of one git command, in milliseconds. */
const GIT_TIMEOUT_MS = 120_000;

/** Environment variables that disable settings of the user and the machine, so that git does not convert files. */
const AS_IT_IS: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
};

/** Standard input of a git command. */
export type GitInput = string | Uint8Array;

/** Runs git commands in a local folder. */
export interface Git extends AsyncDisposable {
  /** Names of filters whose programs are configured in the repository and therefore not executed. */
  readonly disabledFilters: readonly string[];
  /** Runs a git command. Resolves with its output, without the line ending, or with git's error message. */
  run(
    argv: readonly string[],
    stdin?: GitInput,
  ): Promise<{ ok: true; output: string } | { ok: false; problem: string }>;
}

/** Options for opening git in a folder. */
export interface GitFolderOptions {
  /** Environment variables of the host, used to find git. */
  readonly env: HostVariables;
  /** True to treat the folder as a plain folder, regardless of repositories that contain it or are inside it. */
  readonly isPlain?: boolean | undefined;
  /**
   * Absolute path of a trusted repository to use instead of the folder's own. Filters configured in it are not checked.
   */
  readonly gitDirectory?: string | undefined;
  /** True to ignore settings of the user and the machine. */
  readonly isRaw?: boolean | undefined;
  /** True if git commands may read other local repositories, which is necessary to clone one of them. */
  readonly readsRepositories?: boolean | undefined;
  /**
   * Another folder that git commands in this folder also read. Programs that the repository of this other folder
   * configures are not executed.
   */
  readonly beside?: string | undefined;
}

/**
 * Opens git in a folder. Rejects with `workspace.*` errors, and with `environment.command_not_found` if git is not
 * installed.
 */
export async function openGit(folder: string, options: GitFolderOptions): Promise<Git> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  const environment = await openLocalEnvironment({ root: folder, env: options.env });
  const variables = {
    ...(options.isPlain === true ? { GIT_DIR: "/dev/null" } : {}),
    ...(options.gitDirectory === undefined ? {} : { GIT_DIR: options.gitDirectory, GIT_WORK_TREE: folder }),
    ...(options.isRaw === true ? AS_IT_IS : {}),
    ...(options.readsRepositories === true ? { GIT_ALLOW_PROTOCOL: "file" } : {}),
  };
  const own = options.gitDirectory === undefined ? ["."] : [];
  const folders = [...own, ...(options.beside === undefined ? [] : [options.beside])];
  const named = await Promise.all(folders.map((path) => filtersOf(environment, { path, variables }))).catch(
    async (error: unknown) => {
      await environment[Symbol.asyncDispose]();
      throw error;
    },
  );
  const unread = named.find((found) => !found.ok);
  const settings = disableGitFilters(named.flatMap((found) => (found.ok ? found.names : [])));
  const off = toGitVariables(settings);
  return {
    disabledFilters: [...new Set(settings.map(([name]) => name.slice("filter.".length, name.lastIndexOf("."))))],
    run: async (argv, stdin) => {
      // If the configured filters cannot be read, they cannot be disabled. Then no git command is run.
      if (unread?.ok === false) return unread;
      const result = await git(environment, argv, { stdin, variables: { ...variables, ...off } });
      return result.exitCode === 0 ? { ok: true, output: result.stdout.trimEnd() } : failureOf(result);
    },
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
}

/** A failed git command, with git's error message. */
type GitProblem = { readonly ok: false; readonly problem: string };

function failureOf({ exitCode, stderr }: ExecResult): GitProblem {
  return { ok: false, problem: gitMessage(stderr) || `git ended with ${exitCode}` };
}

interface Input {
  readonly stdin?: GitInput | undefined;
  readonly variables?: Readonly<Record<string, string>>;
}

async function git(
  environment: ExecutionEnvironment,
  argv: readonly string[],
  { stdin, variables }: Input = {},
): Promise<ExecResult> {
  return environment.exec(guardedGit(argv), {
    // If `GIT_CONFIG_GLOBAL` is set, files are raw bytes, so no variable with the user's settings is passed.
    env: {
      policy: "core",
      allow: variables?.["GIT_CONFIG_GLOBAL"] === undefined ? GIT_USER_VARIABLES : [],
      set: { ...GIT_GUARD_VARIABLES, ...variables },
    },
    timeoutMs: GIT_TIMEOUT_MS,
    maxOutputChars: 16 * 1024 * 1024,
    stdin,
  });
}

/** Name of a setting that is added as a test. If git does not list it, filters cannot be disabled. */
const PROBE = "filter.switchyard.required";

/**
 * Returns the names of settings for filters whose programs the repository configures. Filters of the user stay enabled.
 * Settings in included files belong to the repository too. Some are included conditionally, so the result is valid for
 * this folder only.
 */
async function filtersOf(
  environment: ExecutionEnvironment,
  { path, variables }: { path: string; variables: Readonly<Record<string, string>> },
): Promise<{ readonly ok: true; readonly names: readonly string[] } | GitProblem> {
  const argv = ["-C", path, "config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const probe = toGitVariables([[PROBE, "false"]]);
  const result = await git(environment, argv, { variables: { ...variables, ...probe } });
  if (!ANSWERS.has(result.exitCode)) return failureOf(result);
  if (result.droppedBytes > 0) return { ok: false, problem: "the settings of the repository are too long" };
  const entries = result.stdout.split("\0");
  const all = entries.filter((_, index) => index % 2 === 1);
  if (!all.includes(PROBE)) return { ok: false, problem: "git 2.31 or newer is needed" };
  return { ok: true, names: all.filter((_, index) => !TRUSTED.has(entries[2 * index] ?? "")) };
}

/** Scopes of git settings that are trusted: those of the user, the machine, and the process that starts git. */
const TRUSTED: ReadonlySet<string> = new Set(["global", "system", "command"]);
/**
 * Exit codes of `git config` that are not errors: settings found (0), none found (1), option unknown to an older git
 * (129).
 */
const ANSWERS: ReadonlySet<number> = new Set([0, 1, 129]);
