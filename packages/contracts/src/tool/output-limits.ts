/** Which part of a long output the model receives: its head, its tail, or both. See loop: §5.1, decision 9. */
export type TruncationMode = "head_tail" | "head" | "tail";

/** Limits of a tool's output for the model. They include the truncation markers; 0 means no limit. */
export interface OutputLimits {
  /** Maximum number of characters (UTF-16 code units). See loop: §5.2. */
  readonly maxChars: number;
  /** Which part of a long output remains: its head, its tail, or both. */
  readonly mode: TruncationMode;
  /** Maximum number of lines, applied after the character limit. Default: no limit. See loop: §5.3. */
  readonly maxLines?: number | undefined;
}
