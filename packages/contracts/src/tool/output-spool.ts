/** Location of the complete output of a tool call, reported as `output_ref` in the call's end event. */
export interface OutputReference {
  /** Path of the file, relative to the run folder. */
  readonly path: string;
  /** Size of the complete output, in bytes, including parts that were not stored. */
  readonly bytes: number;
  /** True if the output exceeded the limit; then only head and tail are stored. */
  readonly truncated: boolean;
}

/** Stores the output of one tool call, piece by piece. */
export interface SpooledOutput {
  /** Adds the next piece of output. Contract: never throws; pieces that are not stored yet take bounded memory. */
  write(text: string): void;
  /** Resolves when the output is stored; rejects if storing failed. */
  finish(): Promise<OutputReference>;
}

/** Stores tool output that is too large for an event. See architecture: decision 10. */
export interface OutputSpool {
  /** Starts storing the output of a tool call. */
  open(callId: string): SpooledOutput;
}
