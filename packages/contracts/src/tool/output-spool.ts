/** Where the whole output of a call is kept: the `output_ref` of its end event. */
export interface OutputReference {
  /** Path of the file, relative to the run folder. */
  readonly path: string;
  /** Bytes of the whole output, also of what was not kept. */
  readonly bytes: number;
  /** Whether the output was longer than the limit: then head and tail are kept. */
  readonly truncated: boolean;
}

/** One output on its way to where it is kept. */
export interface SpooledOutput {
  /** Takes the next piece. Contract: never throws; pieces wait in bounded memory. */
  write(text: string): void;
  /** Resolves when everything is kept; rejects with what keeping it failed with. */
  finish(): Promise<OutputReference>;
}

/** Keeps outputs of tools that are too large for an event. architecture: decision 10. */
export interface OutputSpool {
  /** Begins to keep the output of a call. */
  open(callId: string): SpooledOutput;
}
