import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/**
 * What a place may be without:
 * - `writing`: files can be changed; `permissions`: files have modes, which a write keeps; `unprivileged`: modes hold
 *   for the user of the place, who is not root; `times`: files carry the real time of their last change;
 * - `shell`: command lines run in a POSIX shell; `bash`: that shell is bash; `spawn`: programs are started one by one
 *   and their streams handed out; `processes`: programs are processes of an operating system, with signals and groups;
 *   `sessions`: processes that leave their group by `setsid` are ended too;
 * - `links`: symbolic links; `pipes`: named pipes; `sockets`, `devices`: files of that kind can be made;
 * - `variables`: the host's variables are those that the factory was given;
 * - `host`: scripts run in the place by another way than the environment; `outside`: a folder beside the workspace.
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

/** How a factory is asked to open an environment. */
export interface EnvironmentSetting {
  /** The host's variables: what commands would inherit without any policy, beside PATH and HOME. */
  readonly variables: Readonly<Record<string, string>>;
}

/** An environment as the cases get it: its workspace is empty, and of the case alone. */
export interface EnvironmentSubject {
  /** The environment. */
  readonly environment: ExecutionEnvironment;
  /** Writes the tree of a case, where the environment itself refuses to write. */
  readonly furnish?: ExecutionEnvironment | undefined;
  /**
   * Runs a POSIX script in the workspace of the place by another way than the environment, and gives its standard
   * output; rejects when it fails. The cases go on while it runs.
   */
  readonly host?: ((script: string) => Promise<string>) | undefined;
  /**
   * Absolute path of a folder of the place beside the workspace, which holds nothing but a file `secret.txt` with the
   * line `SECRET`.
   */
  readonly outside?: string | undefined;
  /**
   * Number of living processes with the mark in their command line, in the place and on the machine of its client.
   * Without it, `host` looks through `/proc`.
   */
  readonly countProcesses?: ((mark: string) => Eventually<number>) | undefined;
  /** Makes a socket at a path of the workspace. */
  readonly makeSocket?: ((path: string) => Eventually<void>) | undefined;
  /** What the place is without, and why: cases that need it are left out with that reason. */
  readonly lacks?: Readonly<Partial<Record<EnvironmentAbility, string>>> | undefined;
  /** Milliseconds that one call may take beyond what it was asked to wait; 5,000 by default. */
  readonly patienceMs?: number | undefined;
  /** Milliseconds from SIGTERM to SIGKILL; 2,000 by default. */
  readonly killGraceMs?: number | undefined;
  /** Gives everything back; the cases dispose of the environment themselves. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Opens an environment with an empty workspace, alone or with what more a case may ask of its place. */
export type EnvironmentFactory = (setting: EnvironmentSetting) => Eventually<ExecutionEnvironment | EnvironmentSubject>;
