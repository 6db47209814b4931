/** A row of the table of files that other programs execute, or read commands from, without being asked to. */
export interface ExecutableFile {
  /** Names of files and folders at any depth; `**` after a folder means everything in it. Letters match in any case. */
  readonly paths: readonly string[];
  /** Who executes it, and when. */
  readonly runner: string;
  /** Where that is documented. */
  readonly source: string;
  /** Keys of a JSON document that are executed; a change that leaves them as they are is harmless. */
  readonly keys?: readonly string[] | undefined;
}
