import type { ServerResponse } from "node:http";
import { addUsage, type BudgetReservation, EngineError, NO_USAGE, type Usage } from "@switchyard/contracts";
import { createUsageReader, type UsageReader } from "@switchyard/llm/usage";
import type { Endpoint } from "../api/find-endpoint.ts";
import { type CallPricing, priceCall } from "../budget/price-call.ts";
import type { Reservation } from "../budget/run-budget.ts";
import type { ModelRequestBody } from "../request/read-model-request.ts";
import type { Target } from "../run/allowed-models.ts";
import type { ActiveWork, RunState } from "../run/run-state.ts";
import type { AttemptResult } from "../upstream/response-forwarder.ts";

/** Parts of a request that are known when its call begins. */
export interface ModelCallStart {
  readonly request: number;
  readonly endpoint: Endpoint;
  readonly body: ModelRequestBody;
  /** Request headers that are forwarded, as a list in which each name is followed by its value. */
  readonly headers: readonly string[];
  readonly response: ServerResponse;
  readonly target: Target;
}

/** Token usage of a call. */
interface CallUsage {
  /** `undefined` if the call used no tokens. */
  readonly usage: Usage | undefined;
  /** True if a part of the usage was not reported by the provider. */
  readonly isEstimated: boolean;
}

/** One model call by an engine, from its admission to the event that reports its usage. */
export class ModelCall implements ActiveWork {
  readonly run: RunState;
  readonly start: ModelCallStart;
  readonly #abort = new AbortController();
  readonly #startedAt = performance.now();
  #pricing: CallPricing | undefined;
  #reservation: Reservation | undefined;
  #shared: BudgetReservation | undefined;
  #target: Target;
  #reader: UsageReader | undefined;
  #firstByteMs: number | undefined;
  #bytes = 0;
  /** Chunks of the response, if the run is recorded. */
  #recorded: Buffer[] | undefined;
  /** Estimated usage of attempts without a response that the provider may charge. `undefined`: there were none. */
  #unanswered: Usage | undefined;
  /** Attempt in progress, whose time limits are checked. */
  #attempt: Pick<ActiveWork, "check"> | undefined;
  /** Content type of the response. */
  contentType = "";

  constructor(run: RunState, start: ModelCallStart) {
    this.run = run;
    this.start = start;
    this.#target = start.target;
    if (run.recording !== undefined) this.#recorded = [];
  }

  /** Aborts when the engine closes the connection, or when the run is closed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Provider and model that are called. */
  get target(): Target {
    return this.#target;
  }

  /** Chunks of the forwarded response. Empty if the run is not recorded. */
  get recorded(): readonly Buffer[] {
    return this.#recorded ?? [];
  }

  /** Cancels the call. */
  cancel(problem: string): void {
    if (!this.signal.aborted) this.#abort.abort(new EngineError("gateway.call_aborted", { problem }));
  }

  /** Checks the time limits of the attempt in progress. */
  check(elapsedMs: number): void {
    this.#attempt?.check(elapsedMs);
  }

  /** Called when the request is sent to a provider. */
  beginAttempt(attempt: Pick<ActiveWork, "check">): void {
    this.#attempt = attempt;
  }

  /**
   * Called with the result of each attempt. If the provider did not respond in time, or the call was cancelled after the
   * request was sent, the provider may charge the request.
   */
  endAttempt(result: AttemptResult): void {
    const wasSent = this.#attempt !== undefined;
    this.#attempt = undefined;
    if (!wasSent || result.kind !== "failed" || this.#pricing === undefined) return;
    if (!this.signal.aborted && !EngineError.is(result.error, "gateway.upstream_timeout")) return;
    this.#unanswered = addUsage(this.#pricing.estimate({ bytes: 0, isStream: false }), this.#unanswered ?? NO_USAGE);
  }

  /**
   * Returns whether the call may use a provider or model. If the run has a cost budget, only models whose price is
   * known may be used.
   */
  canUse(target: Target): boolean {
    return !this.#limitsCost || this.#price(target)?.isPriced === true;
  }

  /** Switches to another provider or model. */
  useTarget(target: Target): void {
    this.#target = target;
    this.#pricing = this.#price(target);
  }

  /**
   * Reserves the budget of the call. Rejects with `gateway.budget_exceeded`, `gateway.shared_budget_exceeded` or
   * `gateway.price_unknown`.
   */
  async reserve(): Promise<void> {
    const { budget } = this.run;
    if (this.start.endpoint.action !== "generate") return;
    const pricing = this.#price(this.#target);
    this.#pricing = pricing;
    if (this.#limitsCost && pricing?.isPriced !== true) {
      throw new EngineError("gateway.price_unknown", { model: this.#target.model });
    }
    const amount = pricing?.reserved ?? { tokens: 0, costMicros: 0 };
    this.#reservation = await budget.reserve(amount, this.signal);
    try {
      this.#shared = await this.run.sharedBudget?.reserve(amount, this.signal);
    } catch (error) {
      this.#reservation.cancel();
      throw toRefusal(error);
    }
  }

  /** Called when the first byte of a response is forwarded. */
  readonly begin = (contentType: string): void => {
    this.contentType = contentType;
    this.#firstByteMs = performance.now() - this.#startedAt;
    this.#reader = createUsageReader({ isStream: /event-stream/i.test(contentType) });
  };

  /** Called with each forwarded chunk. */
  readonly add = (chunk: Buffer): void => {
    this.#bytes += chunk.byteLength;
    this.#reader?.add(chunk);
    this.#recorded?.push(chunk);
  };

  /** Settles the budget, and emits the event that reports the end of the call. */
  end(status: number, error: EngineError | undefined): void {
    const { request, endpoint } = this.start;
    const { usage, isEstimated } = this.#usage(error !== undefined);
    this.#settle(usage);
    this.run.emit({
      ...{ type: "model_call_ended", runId: this.run.runId, request, api: endpoint.api, action: endpoint.action },
      ...{ provider: this.#target.upstream.name, model: this.#target.model, status },
      ...{ usage, isUsageEstimated: isEstimated, firstByteMs: this.#firstByteMs },
      ...{ durationMs: performance.now() - this.#startedAt, error: error?.code },
    });
  }

  /** Releases the reserved budget of a call that ended without a response. */
  release(): void {
    this.#settle(undefined);
  }

  get #limitsCost(): boolean {
    return this.run.budget.limitsCost || this.run.sharedBudget?.limitsCost === true;
  }

  #settle(usage: Usage | undefined): void {
    this.#reservation?.settle(usage);
    this.#shared?.settle(usage);
  }

  #price({ upstream, model }: Target): CallPricing | undefined {
    if (model === undefined) return undefined;
    return priceCall(this.start.body, { provider: upstream.name, model }, this.run.context.pricing);
  }

  /** Returns the usage of all attempts. */
  #usage(isIncomplete: boolean): CallUsage {
    const response = this.#usageOfResponse(isIncomplete);
    const unanswered = this.#unanswered;
    if (unanswered === undefined) return response;
    return {
      usage: response.usage === undefined ? unanswered : addUsage(response.usage, unanswered),
      isEstimated: true,
    };
  }

  #usageOfResponse(isIncomplete: boolean): CallUsage {
    const pricing = this.#pricing;
    if (pricing === undefined || this.#reader === undefined) return { usage: undefined, isEstimated: false };
    const sizes = { bytes: this.#bytes, isStream: /event-stream/i.test(this.contentType) };
    const reported = this.#reader.usage(this.#target.model ?? "");
    // Some servers report zero tokens because they do not count them.
    if (reported === undefined || !(reported.totalTokens > 0)) {
      return { usage: pricing.estimate(sizes), isEstimated: true };
    }
    if (!isIncomplete) return { usage: pricing.withCost(reported), isEstimated: false };
    // Providers report most output tokens at the end of a stream, which an incomplete response lacks.
    const outputTokens = Math.max(reported.outputTokens, pricing.estimate(sizes).outputTokens);
    const usage = { ...reported, outputTokens, totalTokens: reported.inputTokens + outputTokens };
    return { usage: pricing.withCost(usage), isEstimated: true };
  }
}

/** Returns the error of a refused reservation for the agent, which must not learn the names and usage of owners. */
function toRefusal(error: unknown): unknown {
  if (!EngineError.is(error, "budget.day_exceeded")) return error;
  return new EngineError("gateway.shared_budget_exceeded", {}, { cause: error });
}
