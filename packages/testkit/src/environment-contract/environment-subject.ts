import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/**
 * Optional features of an environment:
 *
 * - `writing`: files can be changed.
 * - `permissions`: files have modes, which a write preserves.
 * - `unprivileged`: modes apply to the user, who is not root.
 * - `times`: files have their real modification time.
 * - `shell`: command lines run in a POSIX shell.
 * - `bash`: that shell is bash.
 * - `spawn`: programs can be spawned with streams.
 * - `processes`: programs are operating system processes, with signals and groups.
 * - `sessions`: processes that leave their group by `setsid` are ended too.
 * - `links`: symbolic links can be created.
 * - `pipes`: named pipes can be created.
 * - `sockets`, `devices`: files of that kind can be created.
 * - `variables`: the host's variables are those passed to the factory.
 * - `host`: scripts can run outside the environment.
 * - `outside`: a folder next to the workspace exists.
 */
export type EnvironmentAbility =
  | "writing"
  | "permissions"
  | "unprivileged"
  | "times"
  | "shell"
  | "bash"
  | "spawn"
  | "processes"
  | "sessions"
  | "links"
  | "pipes"
  | "sockets"
  | "devices"
  | "variables"
  | "host"
  | "outside";

/** Options that a conformance case passes to an environment factory. */
export interface EnvironmentSetting {
  /** Environment variables of the host, in addition to PATH and HOME. Commands inherit them if no policy is set. */
  readonly variables: Readonly<Record<string, string>>;
}

/** An environment with an empty workspace, used by one conformance case. */
export interface EnvironmentSubject {
  /** Environment under test. */
  readonly environment: ExecutionEnvironment;
  /** Separate environment that writes the files of a conformance case, if the environment under test cannot write. */
  readonly writer?: ExecutionEnvironment | undefined;
  /**
   * Runs a POSIX script in the workspace outside the environment, asynchronously. Resolves with its standard output;
   * rejects if it fails.
   */
  readonly host?: ((script: string) => Promise<string>) | undefined;
  /**
   * Absolute path of a folder next to the workspace, which contains only a file `secret.txt` with the line `SECRET`.
   */
  readonly outside?: string | undefined;
  /**
   * Resolves with the number of living processes whose command line contains `mark`, both in the remote environment and
   * on the client's machine. If this function is absent, a script that `host` runs searches `/proc`.
   */
  readonly countProcesses?: ((mark: string) => Eventually<number>) | undefined;
  /** Creates a socket at a path of the workspace. */
  readonly makeSocket?: ((path: string) => Eventually<void>) | undefined;
  /** Missing features, each with a reason. Cases that need a missing feature are skipped with this reason. */
  readonly lacks?: Readonly<Partial<Record<EnvironmentAbility, string>>> | undefined;
  /**
   * Tolerance for the duration of one call, in milliseconds, in addition to the wait that the call requests. Default:
   * 5,000.
   */
  readonly toleranceMs?: number | undefined;
  /** Milliseconds between SIGTERM and SIGKILL. Default: 2,000. */
  readonly killGraceMs?: number | undefined;
  /** Releases all resources except the environment, which the conformance case disposes of. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/**
 * Opens an environment with an empty workspace. Returns the environment, or an object with the environment and optional
 * operations for the conformance cases.
 */
export type EnvironmentFactory = (setting: EnvironmentSetting) => Eventually<ExecutionEnvironment | EnvironmentSubject>;
