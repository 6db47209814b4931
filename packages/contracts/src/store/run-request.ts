import type { SessionInput } from "../session/session-input.ts";

/** Request of a run, stored once when the run is accepted, so that another process can resume it. */
export interface RunRequest {
  /** Version of this format. */
  format: 1;
  /** Input of the session. */
  input: SessionInput;
  /** Host settings that are needed to resume, such as a model's base URL: plain data without secrets. */
  settings?: Record<string, unknown> | undefined;
}
