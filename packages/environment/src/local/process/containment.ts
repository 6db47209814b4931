import type { StartInput } from "./start-input.ts";

/** A program to start inside a containment, for example a sandbox, and its working folder. */
export interface ContainedCommand {
  /** Program, arguments and variables with which the command would be started without containment. */
  readonly input: StartInput;
  /** Real path of the program's working folder. */
  readonly folder: string;
}

/** A prepared start of a command inside a containment, for example a sandbox. */
interface ContainedStart {
  /** Program and arguments that start the command inside the containment, usually those of bubblewrap. */
  readonly input: StartInput;
  /**
   * Releases prepared resources. Contract: called once, after the last process of the command has ended; does not
   * reject.
   */
  release(): Promise<void>;
}

/** Runs the processes of an environment in namespaces, which also restrict the files that the processes see. */
export interface Containment {
  /** Prepares the start of one command. Throws `environment.*` if the command cannot be started. */
  enter(command: ContainedCommand): Promise<ContainedStart>;
}
