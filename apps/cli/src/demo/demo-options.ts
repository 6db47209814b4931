/** Options of the command `demo`. */
export interface DemoOptions {
  /** Whether to use a real model. */
  live?: boolean;
  /** Model of a live demo. */
  model?: string;
  /** Folder that stores runs. */
  state?: string;
  /**
   * File to write a new recording to, with the model requests of this run. Used to update the demo after tools or
   * prompts change.
   */
  updateRecording?: string;
}
