import { areRetriesExhausted, EngineError, type ErrorCode } from "@switchyard/contracts";

/** Model that is called when another one fails. */
export interface FallbackModel {
  /** Name of the provider in the client. */
  readonly provider: string;
  /** Model id of the vendor. */
  readonly model: string;
}

/** Retries of a turn with one model before the next one is called. */
const RETRIES_PER_MODEL = 2;

/** Failures that another model may not have, although retrying the same one is useless. */
const WORTH: ReadonlySet<ErrorCode> = new Set([
  "llm.quota_exceeded",
  "llm.answer_too_large",
  "llm.not_found",
  "llm.access_denied",
  "llm.unknown",
  // Another provider uses another key.
  "llm.authentication",
]);

/** Returns whether a failure is caused by the model or its provider, rather than by the request. */
function isWorthFallback(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable || WORTH.has(error.code) : true;
}

/** Models of a session: the current one, and its fallbacks. */
export class ModelFallbacks {
  readonly #models: readonly FallbackModel[];
  /** The session's own model when last read. The host may change it. */
  #ownModel: string;
  #index = 0;
  /** Failures of the current model since its last response, without the one being handled. */
  #failures = 0;

  /**
   * Uses the session's own model and its fallbacks in order, starting with `first`. Default: the own model. `own.model`
   * is read before every call; if the host changes it, that model is called next.
   */
  constructor(own: FallbackModel, fallbacks: readonly FallbackModel[], first: FallbackModel = own) {
    this.#models = [own, ...fallbacks];
    this.#ownModel = own.model;
    this.#index = Math.max(
      0,
      this.#models.findIndex(({ provider, model }) => provider === first.provider && model === first.model),
    );
  }

  /** Current model. */
  get current(): FallbackModel {
    const own = this.#models[0]?.model ?? "";
    if (own !== this.#ownModel) {
      this.#ownModel = own;
      this.#index = 0;
      this.#failures = 0;
    }
    return this.#models[this.#index] ?? { provider: "", model: "" };
  }

  /**
   * Returns the model to call after a failure of the current one. `undefined`: the same one. `isRetried`: the turn may
   * be retried. Only then does the first model follow the last one.
   */
  after(error: unknown, isRetried: boolean): FallbackModel | undefined {
    if (this.#models.length === 1 || !isWorthFallback(error)) return undefined;
    if (isRetried && this.#failures < RETRIES_PER_MODEL && !areRetriesExhausted(error)) return undefined;
    const next = this.#models[this.#index + 1];
    return next === undefined && isRetried ? this.#models[0] : next;
  }

  /** Whether the current model is the last one. */
  get isLast(): boolean {
    return this.#index === this.#models.length - 1;
  }

  /** Counts a failure of the current model. */
  fail(): void {
    this.#failures += 1;
  }

  /** Resets the failures after a response. */
  succeed(): void {
    this.#failures = 0;
  }

  /** Changes the current model. */
  changeTo(model: FallbackModel): void {
    this.#index = this.#models.indexOf(model);
    this.#failures = 0;
  }
}
