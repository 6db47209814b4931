import type { ModelRequest } from "./model-request.ts";
import type { ModelResponse } from "./model-response.ts";
import type { StreamEvent } from "./stream-event.ts";

/**
 * Calls models. Contract: safe for concurrent use; no state is shared between requests. See unified-llm-client: client.
 */
export interface Client {
  /** Calls a model and resolves with the complete response. Contract: never retries; rejects with an `llm.*` error. */
  complete(request: ModelRequest): Promise<ModelResponse>;
  /**
   * Calls a model and streams the response. Contract: `finish` is the last event of a successful response. Failures are
   * thrown by the iterator as `llm.*` errors. Stopping the iteration early closes the connection.
   */
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
  /** Closes all connections. */
  close(): Promise<void>;
}
