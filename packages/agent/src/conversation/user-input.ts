import type { ImagePart } from "@switchyard/contracts";

/** User input with optional images. */
export interface UserInput {
  /** Text of the input. */
  readonly text: string;
  /** Attached images. The model must support image input. */
  readonly images?: readonly ImagePart[] | undefined;
}
