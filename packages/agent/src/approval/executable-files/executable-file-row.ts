/**
 * Entry of the list of files that programs execute, or read commands from, without asking the user. An example is a git
 * hook.
 */
export interface ExecutableFile {
  /**
   * Names of files and folders, matched at any depth. `**` after a folder matches everything in it. Case is ignored.
   */
  readonly paths: readonly string[];
  /** Program that executes the file, and the occasion on which it does so. */
  readonly runner: string;
  /** Documentation of the program's behaviour. */
  readonly source: string;
  /**
   * Keys of a JSON document whose values are executed. A change that leaves them unchanged is harmless. `undefined`:
   * any change counts.
   */
  readonly keys?: readonly string[] | undefined;
}
