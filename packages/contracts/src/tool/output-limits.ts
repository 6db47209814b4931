/** Which part of a long output the model keeps. loop: §5.1, decision 9. */
export type TruncationMode = "head_tail" | "head" | "tail";

/** How a tool's output is cut for the model. Limits include the markers; 0 means no limit. */
export interface OutputLimits {
  /** Most characters (UTF-16 code units). loop: §5.2. */
  readonly maxChars: number;
  /** What is kept of the characters. */
  readonly mode: TruncationMode;
  /** Most lines, cut after the characters; no limit when unset. loop: §5.3. */
  readonly maxLines?: number | undefined;
}
