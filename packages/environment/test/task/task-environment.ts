/** A place that the task is done in. */
export interface TaskPlace {
  /** Name in the table. */
  readonly name: string;
  /** What it is proved on. */
  readonly component: string;
  /** Whether that is the real thing. */
  readonly isReal: boolean;
  /** Makes it, with a copy of the project that nobody else uses. A string says why it cannot be made on this machine. */
  start(project: string): Promise<StartedPlace | string>;
}

/** A place that is there. */
export interface StartedPlace {
  /** What `--env` is given. */
  readonly env: string;
  /** Name of the place in reports, where it is another one. */
  readonly reportedAs?: string | undefined;
  /** Variables by which the command finds it, on top of PATH and HOME. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The repaired script, read behind the back of the command; nothing where it is in the run's patch alone. */
  readRepaired?(): Promise<string>;
  stop?(): Promise<void>;
}
