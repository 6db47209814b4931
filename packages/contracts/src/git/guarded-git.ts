/** A setting of git, by its whole name. */
export type GitSetting = readonly [name: string, value: string];

/**
 * Settings with which nothing runs that a repository configures, but for the filters of its files: those are switched off by
 * name, see `gitFiltersOff`. Commands that compare say `--no-ext-diff` and `--no-textconv` as well, and none that looks at the
 * files of a working tree may look into the repositories in it: their settings are their own. architecture: decision 26.
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
 * Variables that go with them: nobody is asked, nothing of others is locked, and what is missing is not fetched. A repository
 * can have a say of its own on each protocol, but for the variable. They are for processes that have nothing else of git from
 * the host: policy `core`.
 */
export const GIT_GUARD_VARIABLES: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Pairs of `GIT_CONFIG_COUNT` that are handed on. */
const MAX_PAIRS = 64;

/**
 * Variables by which users point git to settings of their own, for `allow` beside the policy `core`: they hold for our commands
 * as they do for the user's, `safe.directory` among them.
 */
export const GIT_USER_VARIABLES: readonly string[] = [
  ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT"],
  ...Array.from({ length: MAX_PAIRS }, (_, index) => [`GIT_CONFIG_KEY_${index}`, `GIT_CONFIG_VALUE_${index}`]).flat(),
];

function toOptions(settings: readonly GitSetting[]): string[] {
  return settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

const GUARD_OPTIONS: readonly string[] = toOptions(GIT_GUARD);

/** The words of a command of git with the guard's settings, and others on top; their names hold no `=`. */
export function guardedGit(argv: readonly string[], settings: readonly GitSetting[] = []): string[] {
  return ["git", "--no-pager", ...GUARD_OPTIONS, ...toOptions(settings), ...argv];
}

/** Settings as variables, for names of any kind and for all commands of a script. Git heeds them from 2.31 on. */
export function toGitVariables(settings: readonly GitSetting[]): Record<string, string> {
  const pairs = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** Settings that switch off the filters among names of settings. The name of a filter may be empty. */
export function gitFiltersOff(names: Iterable<string>): GitSetting[] {
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
