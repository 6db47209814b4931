import type { ModelRequest, ModelResponse, StreamEvent } from "@switchyard/contracts";
import type { OfferedModel } from "../model-list/model-list.ts";

/** A request for a model list. */
export interface ListModelsCall {
  /** Name of the provider in the client, for errors. */
  readonly provider: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/** A model API that a client sends requests to. See unified-llm-client: client. */
export interface LlmProvider {
  /** Wire format, such as `openai`. Providers with the same wire format have the same value. */
  readonly family: string;
  /**
   * Performs one call with a complete response. Contract: never retries; rejects with an `llm.*` error;
   * `request.provider` is the name under which the client knows this provider.
   */
  complete(request: ModelRequest): Promise<ModelResponse>;
  /** Performs one streamed call. Contract: see `Client.stream`. */
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
  /** Resolves with the models that the API lists. Rejects with an `llm.*` error. `undefined` if the API has no list. */
  listModels?(options: ListModelsCall): Promise<readonly OfferedModel[]>;
  /** Closes open connections. */
  close?(): Promise<void>;
}
