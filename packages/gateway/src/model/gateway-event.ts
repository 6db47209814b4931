import type { ModelApi, Usage } from "@switchyard/contracts";
import type { ModelAction } from "./api/model-action.ts";

/** Properties of every event about a model call. */
export interface ModelCallReference {
  /** Id of the run. */
  readonly runId: string;
  /** 1-based number of the request among all requests of the run. */
  readonly request: number;
}

/** Emitted when the response of a provider has ended, completely or not. */
export interface ModelCallEnded extends ModelCallReference {
  readonly type: "model_call_ended";
  /** Wire format. */
  readonly api: ModelApi;
  /** What the endpoint does. */
  readonly action: ModelAction;
  /** Name of the provider. */
  readonly provider: string;
  /** Model that was called: the requested one, or its fallback. `undefined` for a list of models. */
  readonly model: string | undefined;
  /** HTTP status that the engine received. */
  readonly status: number;
  /**
   * Token usage and cost. Usage that the provider did not report is estimated. `undefined` if the call used no tokens.
   */
  readonly usage: Usage | undefined;
  /** True if the provider did not report the usage, so that it was estimated. */
  readonly isUsageEstimated: boolean;
  /** Time from the request to the first byte of the response, in milliseconds. `undefined` without a response. */
  readonly firstByteMs: number | undefined;
  /** Time from the request to the end of the response, in milliseconds. */
  readonly durationMs: number;
  /** Error code of a response that is incomplete or reports a failure of the gateway. `undefined` otherwise. */
  readonly error: string | undefined;
}

/** Emitted when a failed request to a provider is repeated. */
export interface ModelCallRetried extends ModelCallReference {
  readonly type: "model_call_retried";
  /** Name of the provider. */
  readonly provider: string;
  /** Model that failed. */
  readonly model: string | undefined;
  /** 1-based number of the attempt that failed. */
  readonly attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** Failure, without secrets. */
  readonly problem: string;
}

/** Emitted when a fallback model replaces a model that failed. */
export interface ModelFallbackUsed extends ModelCallReference {
  readonly type: "model_fallback_used";
  /** Model that failed, `provider/model`. */
  readonly from: string;
  /** Model that is called instead, `provider/model`. */
  readonly to: string;
  /** Name of the provider that failed. */
  readonly provider: string;
  /** Failure, without secrets. */
  readonly problem: string;
}

/** Emitted when the gateway refuses a request, or ends one that it accepted. */
export interface ModelRequestRefused extends ModelCallReference {
  readonly type: "model_request_refused";
  /** Error code. */
  readonly error: string;
  /** What was wrong with the request, without secrets. */
  readonly problem: string;
  /** Id of the other run to which the sent token belongs. `undefined` if the token belongs to no other run. */
  readonly tokenOf: string | undefined;
}

/** Event of a model gateway. */
export type ModelGatewayEvent = ModelCallEnded | ModelCallRetried | ModelFallbackUsed | ModelRequestRefused;
