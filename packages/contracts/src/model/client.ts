import type { ModelRequest } from "./model-request.ts";
import type { ModelResponse } from "./model-response.ts";
import type { StreamEvent } from "./stream-event.ts";

/** Reaches models. Contract: safe for concurrent use; no state between requests. unified-llm-client: client. */
export interface Client {
  /** One call, answered whole. Contract: never retries by itself; rejects with an `llm.*` error. */
  complete(request: ModelRequest): Promise<ModelResponse>;
  /**
   * One call, answered in increments. Contract: `finish` is the last event of a good answer; failures are thrown
   * from the iteration as `llm.*` errors; leaving early closes the connection.
   */
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
  /** Releases connections. */
  close(): Promise<void>;
}
