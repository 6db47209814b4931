import type { EnvironmentVariables, ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { DEFAULT_READ_BYTES } from "../environment-options.ts";
import { assertKnownOptions, type OptionNames } from "../known-options.ts";
import { normalizePosixPath } from "../path/posix-path.ts";
import { MemoryEnvironment } from "./memory-environment.ts";
import { MemoryWorkspace } from "./memory-workspace.ts";
import { EmulatedShell } from "./shell/emulated-shell.ts";
import { MemoryCommands } from "./shell/memory-commands.ts";
import { ShellFileSystem } from "./shell/shell-file-system.ts";
import type { ShellLimits } from "./shell/shell-limits.ts";
import { MemoryTree } from "./tree/memory-tree.ts";

const DEFAULT_FOLDER = "/workspace";
const DEFAULT_BYTES = 256 * 1024 * 1024;
/** Folders that commands expect to exist, in addition to those that the emulated shell creates. */
const USUAL_FOLDERS = ["/home/user", "/tmp"] as const;

/** Options for `createMemoryEnvironment`. */
export interface MemoryEnvironmentOptions {
  /**
   * Initial files by path, relative to the working directory, for example the result of another environment's
   * `files()`.
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | ReadonlyMap<string, string | Uint8Array> | undefined;
  /** Absolute path of the workspace. Default: `/workspace`. */
  readonly workingDirectory?: string | undefined;
  /** Environment variables that commands inherit. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Rules that select which of the variables in `env` are visible to commands. Default: all except secrets. See loop:
   * §4.2.
   */
  readonly environmentVariables?: EnvironmentVariables | undefined;
  /** Maximum number of bytes that one read returns. Default: 50 MiB. */
  readonly maxReadBytes?: number | undefined;
  /**
   * Maximum total size in bytes. Each file counts with its content, and each name with 256 bytes. If the maximum is
   * exceeded, writes fail as on a full disk. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined;
  /** Limits for each command line. */
  readonly shellLimits?: ShellLimits | undefined;
  /** Returns the time in milliseconds since 1970. Default: the system time. */
  readonly now?: (() => number) | undefined;
}

const MEMORY_OPTIONS: OptionNames<MemoryEnvironmentOptions> = {
  files: true,
  workingDirectory: true,
  env: true,
  environmentVariables: true,
  maxReadBytes: true,
  maxBytes: true,
  shellLimits: true,
  now: true,
};

/** An environment whose files can be exported. */
export interface MemoryFiles {
  /**
   * Returns a copy of every file in the workspace, by relative path; links are omitted. Can be called after the
   * environment is disposed.
   */
  files(): Map<string, Uint8Array>;
}

/**
 * Creates an environment that does not touch the host: files in memory, and a shell emulated by the optional package
 * just-bash. Without just-bash, files and searches work, but commands are rejected with `environment.unavailable`.
 *
 * Throws `config.invalid` for an unknown option or a relative working directory, and `environment.*` errors for invalid
 * files. See loop: §4.3.
 */
export function createMemoryEnvironment(options: MemoryEnvironmentOptions = {}): ExecutionEnvironment & MemoryFiles {
  assertKnownOptions(options, MEMORY_OPTIONS);
  const { workingDirectory = DEFAULT_FOLDER, files = {}, now = Date.now } = options;
  if (!workingDirectory.startsWith("/")) {
    throw new EngineError("config.invalid", { field: "workingDirectory", problem: "it is not an absolute path" });
  }
  const real = normalizePosixPath(workingDirectory);
  const tree = new MemoryTree({ now, maxBytes: options.maxBytes ?? DEFAULT_BYTES });
  for (const folder of [...USUAL_FOLDERS, real]) tree.makeFolder(folder, { makeFolders: true });
  const workspace = new MemoryWorkspace(tree, { real, maxReadBytes: options.maxReadBytes ?? DEFAULT_READ_BYTES });
  for (const [path, content] of files instanceof Map ? files : Object.entries(files)) workspace.write(path, content);
  const shell = new EmulatedShell(new ShellFileSystem(tree), options.shellLimits ?? {});
  const commands = new MemoryCommands({
    shell,
    workspace,
    isFile: (path) => tree.find(path)?.kind === "file",
    variables: { ...options.env },
    rules: options.environmentVariables,
  });
  return new MemoryEnvironment({ workspace, commands });
}
