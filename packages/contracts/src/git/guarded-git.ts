/** A git setting, as full name and value. */
export type GitSetting = readonly [name: string, value: string];

/**
 * Git settings that prevent programs configured by a repository from running. These settings do not cover filters,
 * which `disableGitFilters` switches off by name. Commands that compare also need `--no-ext-diff` and `--no-textconv`.
 * Commands that read a working tree must not enter its nested repositories, which have settings of their own. See
 * architecture: decision 26.
 */
export const GIT_GUARD: readonly GitSetting[] = [
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["log.showSignature", "false"],
  ["safe.bareRepository", "explicit"],
];

/**
 * Environment variables to use with `GIT_GUARD`: git never prompts, never takes optional locks and never fetches
 * missing objects. `GIT_ALLOW_PROTOCOL` is needed because a repository can override git's protocol setting for each
 * protocol. Use these variables for processes that receive only the core environment variables (policy `core`).
 */
export const GIT_GUARD_VARIABLES: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Maximum number of pairs `GIT_CONFIG_KEY_n` and `GIT_CONFIG_VALUE_n` that are passed on. Later pairs are omitted. */
const MAX_PAIRS = 64;

/**
 * Names of environment variables that select the user's git settings. Allow them for a process that otherwise receives
 * only the core environment variables, so that our git commands respect the user's settings, such as `safe.directory`.
 */
export const GIT_USER_VARIABLES: readonly string[] = [
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT"],
  ...Array.from({ length: MAX_PAIRS }, (_, index) => [`GIT_CONFIG_KEY_${index}`, `GIT_CONFIG_VALUE_${index}`]).flat(),
];

function toOptions(settings: readonly GitSetting[]): string[] {
  return settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

const GUARD_OPTIONS: readonly string[] = toOptions(GIT_GUARD);

/**
 * Returns the arguments of a git command that applies `GIT_GUARD` and additional settings. Setting names must not
 * contain `=`.
 */
export function guardedGit(argv: readonly string[], settings: readonly GitSetting[] = []): string[] {
  return ["git", "--no-pager", ...GUARD_OPTIONS, ...toOptions(settings), ...argv];
}

/**
 * Returns settings as environment variables, for setting names that contain `=` and for scripts with several git
 * commands. Requires git 2.31.
 */
export function toGitVariables(settings: readonly GitSetting[]): Record<string, string> {
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/**
 * Returns settings that switch off git filters. `names` are names of git settings, such as `filter.lfs.clean`. Each
 * filter in these names is switched off. A filter's name may be empty.
 */
export function disableGitFilters(names: Iterable<string>): GitSetting[] {
  const filters = new Set<string>();
  for (const name of names) {
    const filter = /^filter\.(.*)\.[^.]+$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
  }
  return [...filters].flatMap((filter): GitSetting[] => [
    ...["smudge", "clean", "process"].map((way): GitSetting => [`filter.${filter}.${way}`, ""]),
    [`filter.${filter}.required`, "false"],
  ]);
}
