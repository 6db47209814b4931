import type { StartInput } from "./start-input.ts";

/** A program that is about to be started, and where. */
export interface ContainedCommand {
  /** What would be started without any containment. */
  readonly input: StartInput;
  /** Real path of the folder it runs in. */
  readonly folder: string;
}

/** What is started in place of a command. */
interface ContainedStart {
  /** The program that keeps the command in. */
  readonly input: StartInput;
  /** Gives back what was prepared. Contract: is called once, when nothing of the command is left; does not reject. */
  release(): Promise<void>;
}

/** Keeps the processes of an environment in: by namespaces, and by what these show of the disk. */
export interface Containment {
  /** Prepares one command. Throws `environment.*` errors for what cannot be started. */
  enter(command: ContainedCommand): Promise<ContainedStart>;
}
