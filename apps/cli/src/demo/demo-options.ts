/** Options of the command `demo`. */
export interface DemoOptions {
  /** Whether to use a real model. */
  live?: boolean;
  /** Model of a live demo. */
  model?: string;
  /** Folder that stores runs. */
  state?: string;
  /** File to write the recording to, with the requests of this run. Used after tools or prompts change. */
  updateRecording?: string;
}
