import type { ModelRequest, ModelResponse, StreamEvent } from "@switchyard/contracts";
import type { OfferedModel } from "../model-list/model-list.ts";

/** A request for a list of models. */
export interface ListModelsCall {
  /** Name of the provider in the client, for errors. */
  readonly provider: string;
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

/** A model API that a client can send requests to. unified-llm-client: client. */
export interface LlmProvider {
  /** Whose wire format it speaks, such as `openai`; the same for every provider of that format. */
  readonly family: string;
  /** One call, answered whole. Contract: never retries; rejects with an `llm.*` error; `request.provider` is its name in the client. */
  complete(request: ModelRequest): Promise<ModelResponse>;
  /** One call, answered in increments. Contract: as `Client.stream`. */
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
  /** The models that the API lists. Rejects with an `llm.*` error. `undefined` where the API lists none. */
  listModels?(options: ListModelsCall): Promise<readonly OfferedModel[]>;
  /** Releases connections, where it holds any. */
  close?(): Promise<void>;
}
