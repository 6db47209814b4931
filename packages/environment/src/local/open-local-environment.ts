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

/** What an environment on this machine is made from. */
export interface LocalEnvironmentOptions extends EnvironmentOptions {
  /** The workspace: an existing folder. Relative to the process's own working directory. */
  readonly root: string;
  /** The host's variables, `process.env` as a rule. None are read by themselves. */
  readonly env?: HostVariables | undefined;
  /**
   * What ends with a command: its process group, by default; or with `namespace` everything that it started, also what
   * left the group (`setsid`), by a process namespace of its own. That takes Linux and bubblewrap, some milliseconds a
   * command, and for users other than root `sudo` away; where none can be made, it is the group.
   */
  readonly processes?: "group" | "namespace" | undefined;
  /**
   * Whether commands are started by a small helper process. Linux copies page tables of this process for every command,
   * which costs a host of 1 GB some 20 ms each; with `auto` (the default) a host of more than 256 MB gets a helper.
   */
  readonly spawnHelper?: "auto" | "always" | "never" | undefined;
  /** Path of the shell; `/bin/bash`, else `/bin/sh`, and `cmd.exe` on Windows by default. */
  readonly shell?: string | undefined;
  /** Path of ripgrep; the packaged one by default. `false` searches without it. */
  readonly ripgrep?: string | false | undefined;
}

/** Options of environments on this machine. */
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
 * Opens an environment on this machine: files of one folder, processes of this user. Dispose of it to end everything
 * that it started.
 *
 * Throws `config.invalid` for an unknown option, `workspace.not_found` and `workspace.not_a_directory`. loop: LocalExecutionEnvironment, §4.2.
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

/** How long processes are waited for. */
export function processTimes(options: LocalEnvironmentOptions): ProcessTimes {
  return {
    killGraceMs: options.killGraceMs ?? DEFAULT_KILL_GRACE_MS,
    drainMs: options.drainMs ?? DEFAULT_DRAIN_MS,
  };
}

/** What an environment on this machine is put together from. */
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
