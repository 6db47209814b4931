import type { StartSessionOptions } from "@switchyard/runner";

/** Opened engine with the related session options. */
export interface OpenedEngine
  extends Pick<StartSessionOptions, "engine" | "engineName" | "model" | "secrets" | "createdBy" | "retry"> {
  /**
   * How the engine reaches models: `gateway`, or `direct` with a reason in parentheses. `undefined` if the engine calls
   * models from this process, or if the way is unknown.
   */
  readonly modelAccess?: string | undefined;
}
