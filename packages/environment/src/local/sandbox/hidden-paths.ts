import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Paths below the home folder that sandboxed commands cannot see: keys, credentials, histories, and data of browsers
 * and agents. Folders appear empty; files cannot be opened.
 */
const HIDDEN_IN_HOME = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".boto",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/git/credentials",
  ".config/op",
  ".config/rclone",
  ".config/sops",
  ".config/age",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".docker",
  ".kube",
  ".terraform.d",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".git-credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  ".password-store",
  ".local/share/keyrings",
  ".mozilla",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".copilot",
  ".local/share/opencode",
  ".config/switchyard",
  ".switchyard",
  ".local/share/switchyard",
  ".local/state/switchyard",
] as const;

/**
 * Absolute paths that are hidden from sandboxed commands, in addition to those in home folders. Most of them can be
 * read by root only.
 */
const HIDDEN_ANYWHERE = [
  "/etc/shadow",
  "/etc/gshadow",
  "/etc/shadow-",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/ssl/private",
  "/etc/kubernetes",
] as const;

/** Options that select hidden paths. */
export interface HiddenOptions {
  /** Home folders: the value of HOME, and the folder in the user database. */
  readonly homes: readonly string[];
  /** Additional paths, absolute or relative to each home folder. */
  readonly hide: readonly string[];
  /** Paths that are hidden by default but should stay visible, absolute or relative to each home folder. */
  readonly reveal: readonly string[];
}

/** Hidden paths. */
export interface HiddenPaths {
  /** Hidden paths as configured, with symbolic links unresolved. Some may not exist. */
  readonly named: readonly string[];
  /** Hidden paths with symbolic links resolved. These are the paths that mounts cover. */
  readonly real: readonly string[];
}

/** Returns the absolute paths that commands must not see. */
export function listHiddenPaths({ homes, hide, reveal }: HiddenOptions): HiddenPaths {
  const below = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => homes.map((home) => resolve(home, path)));
  const revealed = new Set(below(reveal));
  const named = [...below([...HIDDEN_IN_HOME, ...hide]), ...HIDDEN_ANYWHERE].filter((path) => !revealed.has(path));
  return { named: [...new Set(named)], real: [...new Set(named.map(realOf))].sort() };
}

/** Returns the path with links resolved, or unchanged if it does not exist. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
