import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { EnvironmentVariables, ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { HostVariables } from "../variables/select-variables.ts";
import { LocalEnvironment } from "./local-environment.ts";
import { findPlatformShell } from "./process/platform-shell.ts";
import { createProcessStarter } from "./process/process-starter.ts";
import { findRipgrep } from "./search/ripgrep-program.ts";
import type { LocalWorkspace } from "./workspace/pin-path.ts";
import { availableConfinement } from "./workspace/pin-path.ts";
import { systemCodeOf, toFileError } from "./workspace/to-file-error.ts";

/** From SIGTERM to SIGKILL. loop: §5.4. */
const DEFAULT_KILL_GRACE_MS = 2000;
const DEFAULT_DRAIN_MS = 250;
const DEFAULT_READ_BYTES = 50 * 1024 * 1024;

/** What an environment on this machine is made from. */
export interface LocalEnvironmentOptions {
  /** The workspace: an existing folder. Relative to the process's own working directory. */
  readonly root: string;
  /** The host's variables, `process.env` as a rule. None are read by themselves. */
  readonly env?: HostVariables | undefined;
  /** Which of them commands see; everything but secrets by default. loop: §4.2. */
  readonly environmentVariables?: EnvironmentVariables | undefined;
  /** Milliseconds from SIGTERM to SIGKILL; 2,000 by default. loop: §5.4. */
  readonly killGraceMs?: number | undefined;
  /** Milliseconds that what a finished command left behind, and its output, is waited for; 250 by default. */
  readonly drainMs?: number | undefined;
  /** Most bytes that one read hands out; 50 MiB by default. */
  readonly maxReadBytes?: number | undefined;
  /** Path of the shell; `/bin/bash`, else `/bin/sh`, and `cmd.exe` on Windows by default. */
  readonly shell?: string | undefined;
  /** Path of ripgrep; the packaged one by default. `false` searches without it. */
  readonly ripgrep?: string | false | undefined;
}

/**
 * Opens an environment on this machine: files of one folder, processes of this user. Dispose of it to end everything
 * that it started.
 *
 * Throws `workspace.not_found` and `workspace.not_a_directory`. loop: LocalExecutionEnvironment, §4.2.
 */
export async function openLocalEnvironment(options: LocalEnvironmentOptions): Promise<ExecutionEnvironment> {
  const workspace = await openWorkspace(options.root);
  const starter = createProcessStarter({
    workspace,
    hostVariables: { ...options.env },
    variableRules: options.environmentVariables,
    times: {
      killGraceMs: options.killGraceMs ?? DEFAULT_KILL_GRACE_MS,
      drainMs: options.drainMs ?? DEFAULT_DRAIN_MS,
    },
  });
  return new LocalEnvironment({
    workspace,
    starter,
    shell: findPlatformShell(options.shell),
    findRipgrep: () => findRipgrep(options.ripgrep),
    maxReadBytes: options.maxReadBytes ?? DEFAULT_READ_BYTES,
  });
}

async function openWorkspace(root: string): Promise<LocalWorkspace> {
  // `resolve` would take an empty root for the folder of this process.
  if (root === "") throw new EngineError("config.invalid", { field: "root", problem: "it is empty" });
  const given = resolve(root);
  try {
    const real = await realpath(given);
    if (!(await stat(real)).isDirectory()) throw new EngineError("workspace.not_a_directory", { path: root });
    const style = process.platform === "win32" ? "windows" : "posix";
    return { real, aliases: [given], style, confinement: availableConfinement() };
  } catch (error) {
    throw toRootError(error, root);
  }
}

function toRootError(error: unknown, path: string): unknown {
  const code = systemCodeOf(error);
  if (code === "ENOENT") return new EngineError("workspace.not_found", { path }, { cause: error });
  if (code === "ENOTDIR") return new EngineError("workspace.not_a_directory", { path }, { cause: error });
  if (EngineError.is(error)) return error;
  return toFileError(error, { operation: "open", path, root: path });
}
