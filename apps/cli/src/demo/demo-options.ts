/** Options of the command `demo`. */
export interface DemoOptions {
  /** Whether a real model does the work. */
  live?: boolean;
  /** Model of a live demo. */
  model?: string;
  /** Folder for run folders. */
  state?: string;
  /** File to write the recording to, with the requests of this run: for changes of tools or prompts. */
  updateRecording?: string;
}
