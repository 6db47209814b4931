import type { ImagePart } from "@switchyard/contracts";

/** An input with pictures. */
export interface UserInput {
  /** What the user says. */
  readonly text: string;
  /** The pictures that go with it, for models that see. */
  readonly images?: readonly ImagePart[] | undefined;
}
