import { areRetriesExhausted, EngineError, type ErrorCode } from "@switchyard/contracts";

/** Fallback model, which is called when another model fails. */
export interface FallbackModel {
  /** Name of the provider in the client. */
  readonly provider: string;
  /** The vendor's model id. */
  readonly model: string;
}

/** Number of retries with one model before the next model is called. */
const RETRIES_PER_MODEL = 2;

/** Failures for which a retry of the same model is useless, but a fallback model may succeed. */
const WORTH: ReadonlySet<ErrorCode> = new Set([
  "llm.quota_exceeded",
  "llm.answer_too_large",
  "llm.not_found",
  "llm.access_denied",
  "llm.unknown",
  // The fallback model may belong to another provider with a valid key.
  "llm.authentication",
]);

/** Returns whether another model may succeed, because the failure is not caused by the request. */
function isWorthFallback(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable || WORTH.has(error.code) : true;
}

/** The session's model and its fallbacks. */
export class ModelFallbacks {
  readonly #models: readonly FallbackModel[];
  /** Model id of the session when it was last read. The host may change it. */
  #primaryModel: string;
  #index = 0;
  /** Number of retried failures of the current model since its last response. */
  #failures = 0;

  /**
   * Uses the session's model and its fallbacks, in order. Starts with `first`, by default the session's model. If the
   * host changes `own.model`, the new model is called next.
   */
  constructor(primary: FallbackModel, fallbacks: readonly FallbackModel[], first: FallbackModel = primary) {
    this.#models = [primary, ...fallbacks];
    this.#primaryModel = primary.model;
    this.#index = Math.max(
      0,
      this.#models.findIndex(({ provider, model }) => provider === first.provider && model === first.model),
    );
  }

  /** Model to call next. */
  get current(): FallbackModel {
    const primary = this.#models[0]?.model ?? "";
    if (primary !== this.#primaryModel) {
      this.#primaryModel = primary;
      this.#index = 0;
      this.#failures = 0;
    }
    return this.#models[this.#index] ?? { provider: "", model: "" };
  }

  /**
   * Returns the model to call after a failure. `undefined`: the same model. After the last model, the first one is
   * called again only if the turn may be retried.
   */
  after(error: unknown, isRetried: boolean): FallbackModel | undefined {
    if (this.#models.length === 1 || !isWorthFallback(error)) return undefined;
    if (isRetried && this.#failures < RETRIES_PER_MODEL && !areRetriesExhausted(error)) return undefined;
    const next = this.#models[this.#index + 1];
    return next === undefined && isRetried ? this.#models[0] : next;
  }

  /** True if the current model is the last fallback. */
  get isLast(): boolean {
    return this.#index === this.#models.length - 1;
  }

  /** Counts a failure of the current model. */
  fail(): void {
    this.#failures += 1;
  }

  /** Resets the failure count after a response. */
  succeed(): void {
    this.#failures = 0;
  }

  /** Selects the model to call next. */
  changeTo(model: FallbackModel): void {
    this.#index = this.#models.indexOf(model);
    this.#failures = 0;
  }
}
