import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentOptions } from "../environment-options.ts";
import { DEFAULT_DRAIN_MS, DEFAULT_KILL_GRACE_MS, DEFAULT_READ_BYTES } from "../environment-options.ts";
import { assertKnownOptions, ENVIRONMENT_OPTIONS, type OptionNames } from "../known-options.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import type { LocalEnvironmentParts } from "./local-environment.ts";
import { LocalEnvironment } from "./local-environment.ts";
import type { Containment } from "./process/containment.ts";
import type { ProcessTimes } from "./process/local-process.ts";
import { findPlatformShell } from "./process/platform-shell.ts";
import { createProcessStarter } from "./process/process-starter.ts";
import { findRipgrep } from "./search/ripgrep-program.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import type { LocalWorkspace } from "./workspace/pin-path.ts";

/** Options for opening a local environment. */
export interface LocalEnvironmentOptions extends EnvironmentOptions {
  /** Workspace: path of an existing folder. A relative path is relative to the working directory of this process. */
  readonly root: string;
  /** The host's variables, usually `process.env`, which is not read implicitly. */
  readonly env?: HostVariables | undefined;
  /**
   * Processes that are ended when a command ends. `group`: its process group. `namespace`: all processes that the
   * command started, including those that left the group (`setsid`); they run in a process (PID) namespace. A namespace
   * needs Linux and bubblewrap and costs a few milliseconds per command; users other than root lose `sudo`. If no
   * namespace can be created, the group is used. Default: `group`.
   */
  readonly processes?: "group" | "namespace" | undefined;
  /**
   * Selects whether this process or a small helper process starts the commands. Linux copies the page tables of the
   * starting process for every command, which costs a 1 GB host about 20 ms each. `auto` uses a helper if this process
   * uses more than 256 MB. Default: `auto`.
   */
  readonly spawnHelper?: "auto" | "always" | "never" | undefined;
  /** Path of the shell. Default: `/bin/bash`, otherwise `/bin/sh`; `cmd.exe` on Windows. */
  readonly shell?: string | undefined;
  /** Path of ripgrep. `false`: searches run without ripgrep. Default: the packaged ripgrep. */
  readonly ripgrep?: string | false | undefined;
}

/** Options of local environments. */
export const LOCAL_OPTIONS: OptionNames<LocalEnvironmentOptions> = {
  ...ENVIRONMENT_OPTIONS,
  root: true,
  env: true,
  processes: true,
  spawnHelper: true,
  shell: true,
  ripgrep: true,
};

/**
 * Opens an environment on this machine: files of one folder, and processes of the current user. Disposing the
 * environment ends every process that it started.
 *
 * Throws `config.invalid` for an unknown option, `workspace.not_found` and `workspace.not_a_directory`. See loop:
 * LocalExecutionEnvironment, §4.2.
 */
export async function openLocalEnvironment(options: LocalEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertKnownOptions(options, LOCAL_OPTIONS);
  const workspace = await openWorkspace(options.root);
  const namespaces = options.processes === "namespace" ? await openNamespaces(options) : undefined;
  return new LocalEnvironment(localParts(workspace, options, namespaces));
}

async function openNamespaces(options: LocalEnvironmentOptions): Promise<Containment | undefined> {
  const { openProcessNamespaces } = await import("./sandbox/process-namespaces.ts");
  return openProcessNamespaces(options.env ?? {}, processTimes(options));
}

/** Returns the time limits for ending processes: the grace period after SIGTERM, and the wait for remaining output. */
export function processTimes(options: LocalEnvironmentOptions): ProcessTimes {
  return {
    killGraceMs: options.killGraceMs ?? DEFAULT_KILL_GRACE_MS,
    drainMs: options.drainMs ?? DEFAULT_DRAIN_MS,
  };
}

/** Creates the parts of a local environment from its options: the process starter, the shell and others. */
export function localParts(
  workspace: LocalWorkspace,
  options: LocalEnvironmentOptions,
  containment: Containment | undefined,
): LocalEnvironmentParts {
  const starter = createProcessStarter({
    workspace,
    hostVariables: { ...options.env },
    variableRules: options.environmentVariables,
    times: processTimes(options),
    containment,
    spawnHelper: options.spawnHelper,
  });
  return {
    workspace,
    starter,
    shell: findPlatformShell(options.shell),
    findRipgrep: () => findRipgrep(options.ripgrep),
    maxReadBytes: options.maxReadBytes ?? DEFAULT_READ_BYTES,
  };
}
