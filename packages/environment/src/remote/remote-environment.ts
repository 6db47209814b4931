import type {
  DirectoryEntry,
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  ExposedSocket,
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
import { makeRemoteFolder, removeRemoteEntry, renameRemoteEntry, writeRemoteFile } from "./file/change-remote-files.ts";
import { listRemoteFolder } from "./file/list-remote-folder.ts";
import { readRemoteBytes, readRemoteText } from "./file/read-remote-file.ts";
import type { RemoteFiles } from "./file/remote-files.ts";
import { statRemoteEntry } from "./file/stat-remote-entry.ts";
import type { RemoteFacts } from "./remote-facts.ts";
import type { RemoteProcesses } from "./remote-processes.ts";
import type { RemoteSearch } from "./search/remote-search.ts";

/** Connections, files and settings that a remote environment consists of. */
export interface RemoteEnvironmentParts {
  readonly name: string;
  readonly mark: string;
  readonly facts: RemoteFacts;
  readonly files: RemoteFiles;
  readonly processes: RemoteProcesses;
  readonly search: RemoteSearch;
  exposeSocket(): Promise<ExposedSocket | undefined>;
  /** Closes the remote shells and removes everything created for the run. */
  close(): Promise<void>;
}

/** Environment for files and processes that are accessed through a client program. See loop: §4.3. */
export class RemoteEnvironment implements ExecutionEnvironment {
  readonly name: string;
  readonly workingDirectory: string;
  readonly platform: ExecutionEnvironment["platform"];
  readonly osVersion: string;
  readonly processMark: string;
  readonly #parts: RemoteEnvironmentParts;
  readonly #shell: readonly string[];
  #closed: Promise<void> | undefined;

  constructor(parts: RemoteEnvironmentParts) {
    const { bash, platform, release, root } = parts.facts;
    this.#parts = parts;
    this.name = parts.name;
    this.workingDirectory = root;
    this.platform = platform;
    this.osVersion = release;
    this.processMark = parts.mark;
    this.#shell = bash === undefined ? ["/bin/sh", "-c", "--"] : [bash, "--norc", "--noprofile", "-c", "--"];
  }

  readFile(path: string, options: ReadFileOptions = {}): Promise<string> {
    return this.#guard((files) => readRemoteText(files, path, options));
  }

  readBytes(path: string, options: ReadBytesOptions = {}): Promise<Uint8Array> {
    return this.#guard((files) => readRemoteBytes(files, path, options));
  }

  writeFile(path: string, content: FileContent): Promise<void> {
    return this.#guard((files) => writeRemoteFile(files, path, content));
  }

  exists(path: string): Promise<boolean> {
    return entryExists(() => this.stat(path));
  }

  stat(path: string): Promise<FileStat> {
    return this.#guard((files) => statRemoteEntry(files, path));
  }

  listDirectory(path: string, depth = 1): Promise<DirectoryEntry[]> {
    return this.#guard((files) => listRemoteFolder(files, path, depth));
  }

  makeDirectory(path: string): Promise<void> {
    return this.#guard((files) => makeRemoteFolder(files, path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#guard((files) => renameRemoteEntry(files, from, to));
  }

  remove(path: string): Promise<void> {
    return this.#guard((files) => removeRemoteEntry(files, path));
  }

  exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return this.#guard(() => this.#parts.processes.run(argv, options));
  }

  shell(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    return this.exec([...this.#shell, command], options);
  }

  spawn(argv: readonly string[], options: SpawnOptions = {}): Promise<SpawnedProcess> {
    return this.#guard(() => this.#parts.processes.spawn(argv, options));
  }

  spawnShell(command: string, options: SpawnOptions = {}): Promise<SpawnedProcess> {
    return this.spawn([...this.#shell, command], options);
  }

  grep(pattern: string, options: GrepOptions = {}): Promise<GrepResult> {
    return this.#guard(() => this.#parts.search.grep(pattern, options));
  }

  glob(pattern: string, options: GlobOptions = {}): Promise<string[]> {
    return this.#guard(() => this.#parts.search.glob(pattern, options));
  }

  exposeSocket(): Promise<ExposedSocket | undefined> {
    return this.#guard(() => this.#parts.exposeSocket());
  }

  endMarked(mark: string): Promise<number> {
    return this.#guard(() => this.#parts.processes.endMarked(mark));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#parts.close();
    return this.#closed;
  }

  async #guard<T>(work: (files: RemoteFiles) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) throw new EngineError("environment.closed");
    return work(this.#parts.files);
  }
}
