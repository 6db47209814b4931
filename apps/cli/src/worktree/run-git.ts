import { dirname } from "node:path";
import type { ExecResult, ExecutionEnvironment } from "@switchyard/contracts";
import type { World } from "../world/world.ts";

/** Time one git command may take, in milliseconds. */
const GIT_TIMEOUT_MS = 120_000;

/** Nothing that a repository configures runs. architecture: decision 26. */
const HARDENED: readonly string[] = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"],
  ...["-c", "safe.bareRepository=explicit", "-c", "protocol.allow=never", "-c", "advice.detachedHead=false"],
];

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
  /** Whether repositories above it are none of its business. */
  readonly isAlone?: boolean | undefined;
}

/** Opens git in a folder. Rejects with `workspace.*`. */
export async function openGit(world: World, folder: string, { isAlone }: GitFolderOptions = {}): Promise<Git> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  const environment = await openLocalEnvironment({ root: folder, env: world.env });
  const filters = await filtersOff(environment);
  const ceiling = isAlone === true ? { GIT_CEILING_DIRECTORIES: dirname(environment.workingDirectory) } : {};
  return {
    run: async (argv, stdin) => {
      const result = await git(environment, [...filters, ...argv], { stdin, variables: ceiling });
      if (result.exitCode === 0) return { ok: true, output: result.stdout.trimEnd() };
      const said = result.stderr.trim().split("\n")[0] ?? "";
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
    env: { policy: "core", set: { GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", ...variables } },
    timeoutMs: GIT_TIMEOUT_MS,
    maxOutputChars: 16 * 1024 * 1024,
    stdin,
  });
}

/** Programs that the repository itself names for its files; those that the user names for all of theirs stay. */
async function filtersOff(environment: ExecutionEnvironment): Promise<string[]> {
  const { stdout } = await git(environment, ["config", "--local", "--name-only", "--get-regexp", "^filter\\."]);
  const names = new Set(stdout.split("\n").flatMap((line) => /^filter\.(.+)\.[^.]+$/.exec(line)?.[1] ?? []));
  return [...names].flatMap((name) => [
    ...["-c", `filter.${name}.smudge=`, "-c", `filter.${name}.clean=`, "-c", `filter.${name}.process=`],
    ...["-c", `filter.${name}.required=false`],
  ]);
}
