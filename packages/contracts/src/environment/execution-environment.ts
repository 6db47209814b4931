import type { ExposedSocket } from "./exposed-socket.ts";
import type { ExecOptions, ExecResult, SpawnedProcess, SpawnOptions } from "./process.ts";
import type { GlobOptions, GrepOptions, GrepResult } from "./search.ts";

/** Kind of a file system entry. */
export type EntryKind = "file" | "directory" | "symlink" | "other";

/** One entry of a folder. See loop: DirEntry, §4.1. */
export interface DirectoryEntry {
  /** Path relative to the listed folder, with `/` as separator. */
  name: string;
  /** Kind of the entry; symbolic links are not followed. */
  kind: EntryKind;
  /** Size in bytes; set for files only. */
  size?: number | undefined;
}

/**
 * Content of a file: text, stored as UTF-8, or bytes. The caller may reuse the byte array after the file is written.
 */
export type FileContent = string | Uint8Array;

/** Metadata of a path. */
export interface FileStat {
  /** Kind of the entry, after following symbolic links. */
  kind: EntryKind;
  /** Size in bytes. */
  size: number;
  /** Time of the last change, in milliseconds since 1970. */
  modifiedMs: number;
}

/** Range of lines of a text file. */
export interface ReadFileOptions {
  /** 1-based number of the first line. Default: 1. */
  offset?: number | undefined;
  /** Maximum number of lines. Default: all. */
  limit?: number | undefined;
}

/** Range of bytes of a file. */
export interface ReadBytesOptions {
  /** 0-based offset of the first byte. Default: 0. */
  offset?: number | undefined;
  /** Maximum number of bytes. Without it, files larger than the environment's limit are rejected. */
  length?: number | undefined;
  /**
   * True if the content is shown to neither the model nor the user. A tool that refuses to change unread files then
   * still treats the file as unread. Default: false.
   */
  isProbe?: boolean | undefined;
}

/**
 * File system and processes that a run works with. See loop: ExecutionEnvironment, §4.1.
 *
 * Contract: paths are absolute or relative to the working directory. Access is confined to the working directory,
 * checked at the moment of use. Failures are `environment.*` errors with the path or command in their details. No
 * process is left running after disposal.
 */
export interface ExecutionEnvironment extends AsyncDisposable {
  /** Short name for reports: `local`, `docker:IMAGE`, … */
  readonly name: string;
  /** Absolute path of the workspace. */
  readonly workingDirectory: string;
  /** Operating system of the processes. */
  readonly platform: "linux" | "darwin" | "windows" | "wasm";
  /** Version of the environment's operating system. */
  readonly osVersion: string;
  /**
   * Value of an environment variable that all processes of this environment have. It identifies these processes after
   * the host (the program that started them) has died. `undefined` if such processes cannot be found.
   */
  readonly processMark?: string | undefined;
  /**
   * Ends the processes that a dead host (the program that started them) left running. `mark` is the `processMark` of
   * the dead host's environment. Resolves with the number of ended processes. Contract: an invalid mark ends no
   * process.
   */
  endMarked?(mark: string): Promise<number>;
  /**
   * True if processes of the environment reach servers on the loopback interface of this machine, because they share its
   * network. Default: false.
   */
  readonly sharesLoopback?: boolean | undefined;
  /**
   * Prepares a Unix socket on this machine that processes of the environment can reach at a loopback address. The host
   * then starts a server on this socket. Processes that are already running might not reach the socket. Resolves with
   * `undefined` if the environment cannot do this; the host can then use a relay that runs as a command. Contract: no
   * other environment reaches the socket, and disposal of the environment ends the access.
   */
  exposeSocket?(): Promise<ExposedSocket | undefined>;
  /** Resolves with the text of a file or a range of its lines, without line numbers. Rejects for binary files. */
  readFile(path: string, options?: ReadFileOptions): Promise<string>;
  /** Resolves with the bytes of a file or a range of it. Contract: the caller owns the returned array. */
  readBytes(path: string, options?: ReadBytesOptions): Promise<Uint8Array>;
  /** Writes a whole file and creates its folders. Never leaves a partly written file. */
  writeFile(path: string, content: FileContent): Promise<void>;
  /** Resolves with true if the path exists. */
  exists(path: string): Promise<boolean>;
  /** Resolves with the metadata of a path. */
  stat(path: string): Promise<FileStat>;
  /** Resolves with the entries of a folder, sorted by name, down to `depth` levels. Default: 1. */
  listDirectory(path: string, depth?: number): Promise<DirectoryEntry[]>;
  /** Creates a folder and its parents. */
  makeDirectory(path: string): Promise<void>;
  /** Moves a file or folder and creates the parents of the target. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with its content; a symbolic link is removed, not followed. */
  remove(path: string): Promise<void>;
  /** Runs a program with arguments, without a shell. Resolves when it has ended. */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Runs a command line in the platform's shell. Resolves when it has ended. */
  shell(command: string, options?: ExecOptions): Promise<ExecResult>;
  /** Starts a program and resolves with its streams. */
  spawn(argv: readonly string[], options?: SpawnOptions): Promise<SpawnedProcess>;
  /**
   * Starts a command line in the platform's shell and resolves with its streams. If this method is `undefined`, use
   * `spawn` with a shell.
   */
  spawnShell?(command: string, options?: SpawnOptions): Promise<SpawnedProcess>;
  /** Resolves with the lines that match a regular expression. */
  grep(pattern: string, options?: GrepOptions): Promise<GrepResult>;
  /** Resolves with the files that match a glob pattern, newest first, relative to the working directory. */
  glob(pattern: string, options?: GlobOptions): Promise<string[]>;
}
