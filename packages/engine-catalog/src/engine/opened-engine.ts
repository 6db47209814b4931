import type { StartSessionOptions } from "@switchyard/runner";

/**
 * Why an engine calls models directly. `switched_off`: the user switched the gateway off. `not_redirectable`: with its
 * settings, the engine cannot be redirected. `stored_login`: it uses a login that is stored in the user's home folder.
 * `no_key`: neither an environment variable nor the credentials file contains an API key of its provider.
 */
export type DirectCause = "switched_off" | "not_redirectable" | "stored_login" | "no_key";

/** Opened engine with the related session options. */
export interface OpenedEngine
  extends Pick<StartSessionOptions, "engine" | "engineName" | "model" | "secrets" | "createdBy" | "retry"> {
  /**
   * How the engine reaches models: `gateway`, or `direct` with a reason in parentheses. `undefined` if the engine calls
   * models from this process, or if it is not known how it reaches them.
   */
  readonly modelAccess?: string | undefined;
  /** Why the engine calls models directly. `undefined` in all other cases, see `modelAccess`. */
  readonly directCause?: DirectCause | undefined;
}
