/** Limits for one command line. A command line that exceeds a limit is ended. */
export interface ShellLimits {
  /** Maximum number of commands in one command line. Default: 1,000,000. */
  readonly maxCommands?: number | undefined;
  /** Maximum number of iterations of one loop. Default: 1,000,000. */
  readonly maxLoopIterations?: number | undefined;
  /**
   * Maximum duration, in milliseconds, of a command line for which the caller sets no time limit. Default: 10 minutes.
   */
  readonly maxTimeMs?: number | undefined;
}
