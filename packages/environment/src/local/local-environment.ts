import { release } from "node:os";
import type {
  DirectoryEntry,
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  FileContent,
  FileStat,
  GlobOptions,
  GrepOptions,
  GrepResult,
  ReadBytesOptions,
  ReadFileOptions,
  SpawnedProcess,
  SpawnOptions,
} from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { entryExists } from "../path/entry-exists.ts";
import { resolveWorkspacePath } from "../path/workspace-path.ts";
import type { LocalProcess } from "./process/local-process.ts";
import type { PlatformShell } from "./process/platform-shell.ts";
import type { Command, ProcessStarter } from "./process/process-starter.ts";
import type { FollowedProcess } from "./process/run-command.ts";
import { ABORTED_BEFORE_START, DEFAULT_OUTPUT_CHARS, runCommand } from "./process/run-command.ts";
import { toSpawnedProcess } from "./process/spawned-process.ts";
import type { CommandSpool } from "./process/spool/command-spool.ts";
import { openCommandSpool } from "./process/spool/command-spool.ts";
import { globFiles } from "./search/glob-files.ts";
import type { SearchTools } from "./search/grep-files.ts";
import { grepFiles } from "./search/grep-files.ts";
import { createLineIndex } from "./workspace/line-index.ts";
import { listEntries } from "./workspace/list-directory.ts";
import type { LocalWorkspace } from "./workspace/pin-path.ts";
import { pinPath } from "./workspace/pin-path.ts";
import { pinNewFolder } from "./workspace/pin-target.ts";
import type { ReadLimits } from "./workspace/read-file.ts";
import { readFileBytes, readTextFile } from "./workspace/read-file.ts";
import { removeEntry } from "./workspace/remove-entry.ts";
import { renameEntry } from "./workspace/rename-entry.ts";
import { entryKindOf, toFileError } from "./workspace/to-file-error.ts";
import { replaceFileContent } from "./workspace/write-file.ts";

/** Workspace, tools and process starter that a local environment consists of. */
export interface LocalEnvironmentParts {
  readonly workspace: LocalWorkspace;
  readonly starter: ProcessStarter;
  readonly shell: PlatformShell;
  readonly findRipgrep: () => Promise<string | undefined>;
  readonly maxReadBytes: number;
}

/**
 * Environment for the files of one folder and processes of the current user. See loop: LocalExecutionEnvironment, §4.2.
 */
export class LocalEnvironment implements ExecutionEnvironment {
  readonly name: string = "local";
  readonly sharesLoopback: boolean = true;
  readonly workingDirectory: string;
  readonly platform: ExecutionEnvironment["platform"];
  readonly osVersion: string;
  readonly processMark: string | undefined;
  readonly #parts: LocalEnvironmentParts;
  readonly #limits: ReadLimits;
  #ripgrep: Promise<string | undefined> | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: LocalEnvironmentParts) {
    this.#parts = parts;
    this.#limits = { maxBytes: parts.maxReadBytes, lines: createLineIndex() };
    this.workingDirectory = parts.workspace.real;
    this.platform = currentPlatform();
    this.osVersion = release();
    this.processMark = parts.starter.mark;
  }

  readFile(path: string, options: ReadFileOptions = {}): Promise<string> {
    return this.#guard("read", path, (workspace) => readTextFile(workspace, path, { ...options, ...this.#limits }));
  }

  readBytes(path: string, options: ReadBytesOptions = {}): Promise<Uint8Array> {
    return this.#guard("read", path, (workspace) => readFileBytes(workspace, path, { ...options, ...this.#limits }));
  }

  writeFile(path: string, content: FileContent): Promise<void> {
    return this.#guard("write", path, (workspace) => replaceFileContent(workspace, path, content));
  }

  exists(path: string): Promise<boolean> {
    return entryExists(() => this.stat(path));
  }

  stat(path: string): Promise<FileStat> {
    return this.#guard("stat", path, async (workspace) => {
      await using pinned = await pinPath(workspace, resolveWorkspacePath(workspace, path).absolute);
      const found = await pinned.stat();
      return { kind: entryKindOf(found), size: found.size, modifiedMs: found.mtimeMs };
    });
  }

  listDirectory(path: string, depth = 1): Promise<DirectoryEntry[]> {
    return this.#guard("list", path, (workspace) => listEntries(workspace, path, depth));
  }

  makeDirectory(path: string): Promise<void> {
    return this.#guard("make", path, async (workspace) => {
      const folder = await pinNewFolder(workspace, resolveWorkspacePath(workspace, path).absolute);
      await folder[Symbol.asyncDispose]();
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#guard("rename", from, (workspace) => renameEntry(workspace, from, to));
  }

  remove(path: string): Promise<void> {
    return this.#guard("remove", path, (workspace) => removeEntry(workspace, path));
  }

  exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return this.#run({ argv, stdin: stdinOf(options) }, options);
  }

  shell(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return this.#run({ ...this.#parts.shell(command), stdin: stdinOf(options) }, options);
  }

  spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SpawnedProcess> {
    return this.#spawn({ argv, stdin: "pipe" }, options);
  }

  spawnShell(command: string, options: SpawnOptions = {}): Promise<SpawnedProcess> {
    return this.#spawn({ ...this.#parts.shell(command), stdin: "pipe" }, options);
  }

  grep(pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
    const path = options.path ?? this.workingDirectory;
    return this.#guard("search", path, async () => grepFiles(await this.#searchTools(), pattern, options));
  }

  glob(pattern: string, options: GlobOptions = {}): Promise<string[]> {
    const path = options.path ?? pattern;
    return this.#guard("search", path, async () => globFiles(await this.#searchTools(), pattern, options));
  }

  endMarked(mark: string): Promise<number> {
    return this.#parts.starter.endMarked(mark);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#parts.starter.close();
    return this.#closed;
  }

  async #run(command: Command, options: ExecOptions): Promise<ExecResult> {
    if (options.signal?.aborted === true) return { ...ABORTED_BEFORE_START };
    // If a listener needs the output during the command, a pipe is used instead of a file, because a growing file emits
    // no event.
    const spool =
      options.onOutput === undefined ? openCommandSpool(options.maxOutputChars ?? DEFAULT_OUTPUT_CHARS) : undefined;
    try {
      const startedMs = performance.now();
      const process = await this.#parts.starter.start({ ...command, output: spool }, options);
      return await runCommand(spool === undefined ? process : withSpool(process, spool), options, startedMs);
    } finally {
      await spool?.close();
    }
  }

  async #spawn(command: Command, options: SpawnOptions): Promise<SpawnedProcess> {
    options.signal?.throwIfAborted();
    return toSpawnedProcess(await this.#parts.starter.start(command, options), options.signal);
  }

  async #searchTools(): Promise<SearchTools> {
    const { workspace, starter, findRipgrep } = this.#parts;
    this.#ripgrep ??= findRipgrep();
    return { workspace, starter, ripgrep: await this.#ripgrep };
  }

  async #guard<T>(operation: string, path: string, work: (workspace: LocalWorkspace) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new EngineError("environment.closed");
    try {
      return await work(this.#parts.workspace);
    } catch (error) {
      // The error is the caller's abort reason, not a disk failure, and is rethrown unchanged.
      if (error instanceof DOMException) throw error;
      throw toFileError(error, { operation, path, root: this.workingDirectory });
    }
  }
}

function withSpool(process: LocalProcess, spool: CommandSpool): FollowedProcess {
  const { child, output, exited, finished } = process;
  return { child, output, spool, exited, finished, stop: () => process.stop(), release: () => process.release() };
}

function stdinOf({ stdin }: ExecOptions): "pipe" | "ignore" {
  return stdin === undefined ? "ignore" : "pipe";
}

function currentPlatform(): ExecutionEnvironment["platform"] {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "darwin" : "linux";
}
