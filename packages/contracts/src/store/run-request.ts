import type { SessionInput } from "../session/session-input.ts";

/** What a run was asked to do: kept once, when it is accepted, so that another process can go on with it. */
export interface RunRequest {
  /** Version of this format. */
  format: 1;
  /** The input as the host handed it in. */
  input: SessionInput;
  /** What else the host needs to go on, such as the address of a model's API; plain data without secrets. */
  settings?: Record<string, unknown> | undefined;
}
