import {
  type ExecResult,
  type ExecutionEnvironment,
  GIT_GUARD_VARIABLES,
  GIT_USER_VARIABLES,
  gitFiltersOff,
  guardedGit,
  toGitVariables,
} from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";

/** Time one git command may take, in milliseconds. */
const GIT_TIMEOUT_MS = 120_000;

/** Files as they are: without what a user or a machine has git do with the contents of all files. */
const AS_IT_IS: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
};

/** What a command reads. */
export type GitInput = string | Uint8Array;

/** Git in a folder of this machine. */
export interface Git extends AsyncDisposable {
  /** Filters that the repository names programs for, and that are therefore not run. */
  readonly disabledFilters: readonly string[];
  /** Runs a command; its output without the line end, or the failure in git's words. */
  run(
    argv: readonly string[],
    stdin?: GitInput,
  ): Promise<{ ok: true; output: string } | { ok: false; problem: string }>;
}

/** How git looks at a folder. */
export interface GitFolderOptions {
  /** Variables of the host, by which git is found. */
  readonly env: HostVariables;
  /** Whether it is a plain one, whatever repository it lies in, or holds. */
  readonly isPlain?: boolean | undefined;
  /** Repository that is used instead of the folder's own, as an absolute path. It is one that we made: no filters are looked for. */
  readonly gitDirectory?: string | undefined;
  /** Whether the settings of the user and of the machine are left out. */
  readonly isRaw?: boolean | undefined;
  /** Whether commands may read other repositories of this machine, as a clone does. */
  readonly readsRepositories?: boolean | undefined;
  /** Another folder that commands in this one look at: the programs that it names for its files do not run either. */
  readonly beside?: string | undefined;
}

/** Opens git in a folder. Rejects with `workspace.*`, and with `environment.command_not_found` where there is no git. */
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
  const settings = gitFiltersOff(named.flatMap((found) => (found.ok ? found.names : [])));
  const off = toGitVariables(settings);
  return {
    disabledFilters: [...new Set(settings.map(([name]) => name.slice("filter.".length, name.lastIndexOf("."))))],
    run: async (argv, stdin) => {
      // What is not known of its filters is not switched off.
      if (unread?.ok === false) return unread;
      const result = await git(environment, argv, { stdin, variables: { ...variables, ...off } });
      return result.exitCode === 0 ? { ok: true, output: result.stdout.trimEnd() } : failureOf(result);
    },
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
}

/** A failure in git's words. */
type GitProblem = { readonly ok: false; readonly problem: string };

function failureOf({ exitCode, stderr }: ExecResult): GitProblem {
  const lines = stderr.trim().split("\n");
  const said = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? "";
  return { ok: false, problem: said === "" ? `git ended with ${exitCode}` : said };
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
    // Files as they are: no setting of the user counts.
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

/** A setting of ours: where git does not tell it, filters cannot be switched off. */
const PROBE = "filter.switchyard.required";

/**
 * Settings of filters that the repository itself names programs for; those that the user names for all of theirs stay. Files
 * that its settings include are part of them, some on conditions: what is asked in a folder is true in that folder only.
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

/** Who is trusted with settings: the user, the machine, and whoever starts git. */
const TRUSTED: ReadonlySet<string> = new Set(["global", "system", "command"]);
/** With settings, without any, and of a git that does not know an option. */
const ANSWERS: ReadonlySet<number> = new Set([0, 1, 129]);
