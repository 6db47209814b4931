import type { OpenModelAccess } from "@switchyard/engine";
import type { Secret } from "@switchyard/secrets";
import type { HttpTransportOptions } from "../transport/http/http-transport.ts";

/** Options for `createCustomEngine`. */
export interface CustomEngineOptions extends HttpTransportOptions {
  /**
   * Value of the template variable `${api_key}`. The key is sent to the engine only if the configuration refers to it.
   */
  readonly apiKey?: string | Secret | undefined;
  /**
   * Opens access to models for a run, which provides `${model_base_url}` and `${model_token}`. Called once per
   * execution, if the configuration refers to one of these variables. The access is closed when the execution ends.
   * `undefined`: the run has no access to models.
   */
  readonly openModelAccess?: OpenModelAccess | undefined;
  /** Returns the current time for the engine's events, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Returns ids for the engine's events. Default: random ids. */
  readonly createId?: (() => string) | undefined;
}
