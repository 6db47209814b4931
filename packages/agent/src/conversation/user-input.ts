import type { ImagePart } from "@switchyard/contracts";

/** Input with images. */
export interface UserInput {
  /** Text of the input. */
  readonly text: string;
  /** Attached images, for models with image input. */
  readonly images?: readonly ImagePart[] | undefined;
}
