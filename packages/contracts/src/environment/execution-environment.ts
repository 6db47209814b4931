import type { ExecOptions, ExecResult, SpawnedProcess, SpawnOptions } from "./process.ts";
import type { GlobOptions, GrepOptions, GrepResult } from "./search.ts";

/** What a path is. */
export type EntryKind = "file" | "directory" | "symlink" | "other";

/** One entry of a folder. loop: DirEntry, §4.1. */
export interface DirectoryEntry {
  /** Path below the listed folder, with `/`. */
  name: string;
  /** What it is; a symbolic link is not followed. */
  kind: EntryKind;
  /** Size in bytes, of files. */
  size?: number | undefined;
}

/** What a file is made of: text, kept as UTF-8, or bytes, which are the caller's again when they are written. */
export type FileContent = string | Uint8Array;

/** What is known about a path. */
export interface FileStat {
  /** What it is, links followed. */
  kind: EntryKind;
  /** Size in bytes. */
  size: number;
  /** Last change, in milliseconds since 1970. */
  modifiedMs: number;
}

/** Window of a text file, in lines. */
export interface ReadFileOptions {
  /** 1-based number of the first line. */
  offset?: number | undefined;
  /** Most lines. */
  limit?: number | undefined;
}

/** Window of a file, in bytes. */
export interface ReadBytesOptions {
  /** First byte, from 0. */
  offset?: number | undefined;
  /** Most bytes; a longer file without this option is refused beyond the environment's limit. */
  length?: number | undefined;
  /** True if nobody sees the content: guards that require a file to be read first do not count it. Default: false. */
  isProbe?: boolean | undefined;
}

/**
 * Where files and processes live. loop: ExecutionEnvironment, §4.1.
 *
 * Contract: paths may be absolute or relative to the working directory and are confined to it at the moment of
 * use; failures are `environment.*` errors with the path or the command in their details; nothing is left running
 * after disposal.
 */
export interface ExecutionEnvironment extends AsyncDisposable {
  /** Short name of the place, for reports: `local`, `docker:IMAGE`, … */
  readonly name: string;
  /** Absolute path of the workspace. */
  readonly workingDirectory: string;
  /** Kind of operating system the processes see. */
  readonly platform: "linux" | "darwin" | "windows" | "wasm";
  /** Version of that operating system. */
  readonly osVersion: string;
  /** Mark of the processes that it starts, where these can be found again by it once their host is dead. */
  readonly processMark?: string | undefined;
  /**
   * Ends the processes that carry the mark of an earlier environment, whose host died before it could; resolves with
   * their number. Contract: a mark that is none ends nothing.
   */
  endMarked?(mark: string): Promise<number>;
  /** Text of a file, or of a window of its lines, without line numbers. Refuses binary files. */
  readFile(path: string, options?: ReadFileOptions): Promise<string>;
  /** Bytes of a file, or of a window of it. Contract: they are the caller's own; what is done to them changes no file. */
  readBytes(path: string, options?: ReadBytesOptions): Promise<Uint8Array>;
  /** Writes a whole file, making its folders; never leaves half a file behind. */
  writeFile(path: string, content: FileContent): Promise<void>;
  /** Whether something is there. */
  exists(path: string): Promise<boolean>;
  /** What is there. */
  stat(path: string): Promise<FileStat>;
  /** Entries of a folder, sorted by name, `depth` levels deep (1 by default). */
  listDirectory(path: string, depth?: number): Promise<DirectoryEntry[]>;
  /** Makes a folder and the folders above it. */
  makeDirectory(path: string): Promise<void>;
  /** Moves a file or folder, making the folders above the target. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with all that is in it; a link is removed, not followed. */
  remove(path: string): Promise<void>;
  /** Runs a program with arguments, no shell in between. */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Runs a command line in the platform's shell. */
  shell(command: string, options?: ExecOptions): Promise<ExecResult>;
  /** Starts a program and hands out its streams. */
  spawn(argv: readonly string[], options?: SpawnOptions): Promise<SpawnedProcess>;
  /** Starts a command line in the platform's shell and hands out its streams; where it is missing, `spawn` a shell. */
  spawnShell?(command: string, options?: SpawnOptions): Promise<SpawnedProcess>;
  /** Lines that match a regular expression. */
  grep(pattern: string, options?: GrepOptions): Promise<GrepResult>;
  /** Files that match a glob pattern, newest first, relative to the working directory. */
  glob(pattern: string, options?: GlobOptions): Promise<string[]>;
}
