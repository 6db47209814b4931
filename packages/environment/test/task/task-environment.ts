/** An environment in which the task is run. */
export interface TaskEnvironment {
  /** Name in the table. */
  readonly name: string;
  /** Component it was tested with. */
  readonly component: string;
  /** Whether that is the real thing. */
  readonly isReal: boolean;
  /** Starts it with a separate copy of the project. Returns the reason if that is not possible on this machine. */
  start(project: string): Promise<StartedEnvironment | string>;
}

/** A started environment. */
export interface StartedEnvironment {
  /** Value of `--env`. */
  readonly env: string;
  /** Name in reports. `undefined` if it equals the name in the table. */
  readonly reportedAs?: string | undefined;
  /** Variables by which the command finds it, on top of PATH and HOME. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Reads the repaired script without the command. `undefined` if only the run's patch contains it. */
  readRepaired?(): Promise<string>;
  stop?(): Promise<void>;
}
