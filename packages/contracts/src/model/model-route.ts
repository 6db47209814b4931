import type { ModelApi } from "./model-api.ts";

/** Destination of an engine's model calls, and whether they can be redirected. */
export interface ModelRoute {
  /** Provider whose API key the engine uses, such as `anthropic`. `undefined` if the engine can use any provider. */
  readonly provider?: string | undefined;
  /** Wire formats that the engine can use, the preferred one first. Empty if the formats are unknown. */
  readonly apis: readonly ModelApi[];
  /**
   * Why the calls cannot be redirected to another address, as a phrase without a full stop. `undefined` if they can be
   * redirected.
   */
  readonly directReason?: string | undefined;
}
