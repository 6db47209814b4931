import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/**
 * What no command of a sandbox sees, below the home folder: keys, credentials, histories, what browsers and agents
 * keep. A folder is empty inside, a file cannot be opened.
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
  ".config/switchyard",
  ".switchyard",
  ".local/share/switchyard",
  ".local/state/switchyard",
] as const;

/** What is hidden wherever it is; much of it only root may read anyway. */
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

/** Which paths are hidden. */
export interface HiddenOptions {
  /** The home folders: that of the variables, that of the user. */
  readonly homes: readonly string[];
  /** More paths, absolute or below each home folder. */
  readonly hide: readonly string[];
  /** Paths of the list that are not hidden, absolute or below each home folder. */
  readonly reveal: readonly string[];
}

/** What is hidden. */
export interface HiddenPaths {
  /** As they are named, whether they exist or not. */
  readonly named: readonly string[];
  /** What they name, links followed: that is what has to be hidden. */
  readonly real: readonly string[];
}

/** Absolute paths that commands must not see. */
export function listHiddenPaths({ homes, hide, reveal }: HiddenOptions): HiddenPaths {
  const below = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => homes.map((home) => resolve(home, path)));
  const revealed = new Set(below(reveal));
  const named = [...below([...HIDDEN_IN_HOME, ...hide]), ...HIDDEN_ANYWHERE].filter((path) => !revealed.has(path));
  return { named: [...new Set(named)], real: [...new Set(named.map(realOf))].sort() };
}

/** The path without links, or as it is where nothing is. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
