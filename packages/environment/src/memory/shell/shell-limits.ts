/** What one command line may do before it is ended. */
export interface ShellLimits {
  /** Most commands that one command line runs; 1,000,000 by default. */
  readonly maxCommands?: number | undefined;
  /** Most turns of one loop; 1,000,000 by default. */
  readonly maxLoopIterations?: number | undefined;
  /** Most milliseconds for one command line that has no time limit of its own; 10 minutes by default. */
  readonly maxTimeMs?: number | undefined;
}
