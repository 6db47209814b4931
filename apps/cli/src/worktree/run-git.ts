import type { ExecResult, ExecutionEnvironment } from "@switchyard/contracts";
import type { World } from "../world/world.ts";

/** Time one git command may take, in milliseconds. */
const GIT_TIMEOUT_MS = 120_000;

/** Nothing that a repository configures runs. architecture: decision 26. */
const HARDENED: readonly string[] = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"],
  ...["-c", "safe.bareRepository=explicit", "-c", "advice.detachedHead=false"],
];

/** As variables: a repository can have a say of its own on each protocol, but for these. What is missing is not fetched. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

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
  /** Runs a command; its output without the line end, or the failure in git's words. */
  run(
    argv: readonly string[],
    stdin?: GitInput,
  ): Promise<{ ok: true; output: string } | { ok: false; problem: string }>;
}

/** How git looks at a folder. */
export interface GitFolderOptions {
  /** Whether it is a plain one, whatever repository it lies in, or holds. */
  readonly isPlain?: boolean | undefined;
  /** Whether the settings of the user and of the machine are left out. */
  readonly isRaw?: boolean | undefined;
  /** Another folder that commands in this one look at: the programs that it names for its files do not run either. */
  readonly beside?: string | undefined;
}

/** Opens git in a folder. Rejects with `workspace.*`, and with `environment.command_not_found` where there is no git. */
export async function openGit(world: World, folder: string, options: GitFolderOptions = {}): Promise<Git> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  const environment = await openLocalEnvironment({ root: folder, env: world.env });
  const variables = {
    ...(options.isPlain === true ? { GIT_DIR: "/dev/null" } : {}),
    ...(options.isRaw === true ? AS_IT_IS : {}),
  };
  const folders = [".", ...(options.beside === undefined ? [] : [options.beside])];
  const named = await Promise.all(folders.map((path) => filtersOf(environment, { path, variables }))).catch(
    async (error: unknown) => {
      await environment[Symbol.asyncDispose]();
      throw error;
    },
  );
  const off = filtersOff([...new Set(named.flat())]);
  return {
    run: async (argv, stdin) => {
      const result = await git(environment, argv, { stdin, variables: { ...variables, ...off } });
      if (result.exitCode === 0) return { ok: true, output: result.stdout.trimEnd() };
      const lines = result.stderr.trim().split("\n");
      const said = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? "";
      return { ok: false, problem: said === "" ? `git ended with ${result.exitCode}` : said };
    },
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
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
  return environment.exec(["git", ...HARDENED, ...argv], {
    env: { policy: "core", set: { ...VARIABLES, ...variables } },
    timeoutMs: GIT_TIMEOUT_MS,
    maxOutputChars: 16 * 1024 * 1024,
    stdin,
  });
}

/**
 * Filters that the repository itself names programs for; those that the user names for all of theirs stay. Files that its
 * settings include are part of them, some on conditions: what is asked in a folder is true in that folder only.
 */
async function filtersOf(
  environment: ExecutionEnvironment,
  { path, variables }: { path: string; variables: Readonly<Record<string, string>> },
): Promise<string[]> {
  const argv = ["-C", path, "config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const { stdout } = await git(environment, argv, { variables });
  return stdout.split("\0").flatMap((name, index, all) => {
    const scope = all[index - 1];
    const filter = index % 2 === 1 ? /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1] : undefined;
    return filter === undefined || scope === "global" || scope === "system" ? [] : [filter];
  });
}

/** By variables: a name may hold what divides it from its value on a command line. */
function filtersOff(filters: readonly string[]): Record<string, string> {
  const settings = filters.flatMap((filter): [name: string, value: string][] => [
    ...["smudge", "clean", "process"].map((way): [string, string] => [`filter.${filter}.${way}`, ""]),
    [`filter.${filter}.required`, "false"],
  ]);
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}
