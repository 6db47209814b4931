import type { StartInput } from "./start-input.ts";

/** A program to start, and its working folder. */
export interface ContainedCommand {
  /** How the program would be started without containment. */
  readonly input: StartInput;
  /** Real path of the program's working folder. */
  readonly folder: string;
}

/** How to start a command with containment. */
interface ContainedStart {
  /** Program, such as bubblewrap, that starts the command with containment. */
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
