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
/** Folders that commands expect; the emulation adds its own. */
const USUAL_FOLDERS = ["/home/user", "/tmp"] as const;

/** What an environment in memory is made with. */
export interface MemoryEnvironmentOptions {
  /** Files by their path, relative to the working directory; `files()` of another environment, for instance. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | ReadonlyMap<string, string | Uint8Array> | undefined;
  /** The workspace, an absolute path; `/workspace` by default. */
  readonly workingDirectory?: string | undefined;
  /** Variables that commands would inherit; none of the host by default. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Which of them commands see; everything but secrets by default. loop: §4.2. */
  readonly environmentVariables?: EnvironmentVariables | undefined;
  /** Most bytes that one read hands out; 50 MiB by default. */
  readonly maxReadBytes?: number | undefined;
  /** Most bytes of all files, with 256 for each name; 256 MiB by default. Beyond it writes fail as on a full disk. */
  readonly maxBytes?: number | undefined;
  /** What one command line may do. */
  readonly shellLimits?: ShellLimits | undefined;
  /** The time in milliseconds since 1970; that of the machine by default. */
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

/** An environment whose files can be taken out. */
export interface MemoryFiles {
  /** A copy of every file of the workspace by its path relative to it; links are left out. Works after disposal too. */
  files(): Map<string, Uint8Array>;
}

/**
 * Makes an environment that touches nothing of the host: files in memory, and a shell that is emulated by the optional
 * package just-bash. Without that, files and searches work and commands reject with `environment.unavailable`.
 *
 * Throws `config.invalid` for an unknown option and a working directory that is not absolute, and `environment.*` errors for files that
 * cannot be. loop: §4.3.
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
