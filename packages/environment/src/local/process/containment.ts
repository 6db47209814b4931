import type { StartInput } from "./start-input.ts";

/** A program to start, and its folder. */
export interface ContainedCommand {
  /** Uncontained start of the program. */
  readonly input: StartInput;
  /** Real path of the folder that it runs in. */
  readonly folder: string;
}

/** Contained start of a command. */
interface ContainedStart {
  /** Program that contains the command. */
  readonly input: StartInput;
  /**
   * Releases prepared resources. Contract: called once, after the last process of the command has ended; does not
   * reject.
   */
  release(): Promise<void>;
}

/** Contains the processes of an environment in namespaces, which also restrict what they see of the disk. */
export interface Containment {
  /** Prepares one command. Throws `environment.*` if it cannot be started. */
  enter(command: ContainedCommand): Promise<ContainedStart>;
}
