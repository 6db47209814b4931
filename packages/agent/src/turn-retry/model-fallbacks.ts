import { areRetriesExhausted, EngineError, type ErrorCode } from "@switchyard/contracts";

/** A model that is called when another one fails. */
export interface FallbackModel {
  /** Name of the provider in the client. */
  readonly provider: string;
  /** The vendor's model id. */
  readonly model: string;
}

/** Retries of a turn with one model before the next one is called. */
const RETRIES_PER_MODEL = 2;

/** Failures that another model may not have, although calling the same one again is useless. */
const WORTH: ReadonlySet<ErrorCode> = new Set([
  "llm.quota_exceeded",
  "llm.answer_too_large",
  "llm.not_found",
  "llm.access_denied",
  "llm.unknown",
  // A key is refused by one provider; others have keys of their own.
  "llm.authentication",
]);

/** Whether a failure is one of the model or its provider, rather than of the request. */
function isWorthFallback(error: unknown): boolean {
  return EngineError.is(error) ? error.retryable || WORTH.has(error.code) : true;
}

/** The models of a session: the one that is called, and those that are called when it fails. */
export class ModelFallbacks {
  readonly #models: readonly FallbackModel[];
  /** Name of the session's own model when it was last read: the host may change it. */
  #ownModel: string;
  #index = 0;
  /** Failures of the current model since its last response, the one that is judged not included. */
  #failures = 0;

  /**
   * Takes the fallbacks in order, after the session's own model, and the one to begin with. Default: the own one.
   * `own.model` is read before every call: if the host changes it, that model is called next.
   */
  constructor(own: FallbackModel, fallbacks: readonly FallbackModel[], first: FallbackModel = own) {
    this.#models = [own, ...fallbacks];
    this.#ownModel = own.model;
    this.#index = Math.max(
      0,
      this.#models.findIndex(({ provider, model }) => provider === first.provider && model === first.model),
    );
  }

  /** The model that is called. */
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
   * The model to call after a failure of the current one; `undefined` to stay with it. `isRetried` says whether the turn
   * may be retried: after the last model the first one is called again only then.
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

  /** Notes that the current model failed and is called again. */
  fail(): void {
    this.#failures += 1;
  }

  /** Notes that the current model has responded. */
  succeed(): void {
    this.#failures = 0;
  }

  /** Calls another model from now on. */
  changeTo(model: FallbackModel): void {
    this.#index = this.#models.indexOf(model);
    this.#failures = 0;
  }
}
