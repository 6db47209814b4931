/** Options of the command `demo`. */
export interface DemoOptions {
  /** Whether to call a real model instead of replaying a recording. */
  live?: boolean;
  /** Model that is called in a live demo. */
  model?: string;
  /** Folder that stores runs. */
  state?: string;
  /**
   * File to which a new recording with the model requests of this run is written. Used to update the demo after tools
   * or prompts change.
   */
  updateRecording?: string;
}
