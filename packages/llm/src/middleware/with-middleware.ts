import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";

/**
 * Wraps a client. Contract: safe for concurrent use; `close` closes the wrapped client; abandoning a stream closes the
 * wrapped stream. Example: `(client) => withCost(client)`. See unified-llm-client: middleware.
 */
export type ClientMiddleware = (client: Client) => Client;

/** Hooks of a custom middleware. Calls without a hook pass through unchanged. */
export interface ClientLayer {
  /** Wraps a call with a complete response. `next` performs the call. */
  complete?(request: ModelRequest, next: (request: ModelRequest) => Promise<ModelResponse>): Promise<ModelResponse>;
  /** Wraps a streamed call. The call starts when the result of `next` is iterated. */
  stream?(
    request: ModelRequest,
    next: (request: ModelRequest) => AsyncIterable<StreamEvent>,
  ): AsyncIterable<StreamEvent>;
}

function isClient(value: unknown): value is Client {
  if (typeof value !== "object" || value === null) return false;
  return ["complete", "stream", "close"].every((name) => typeof Reflect.get(value, name) === "function");
}

/**
 * Wraps a client in middleware. The first middleware is the outermost, so a call passes the first, the second, …, and
 * then the client. Throws `config.invalid` if a middleware does not return a client. See unified-llm-client:
 * middleware.
 */
export function withMiddleware(client: Client, middleware: readonly ClientMiddleware[]): Client {
  return middleware.reduceRight<Client>((inner, wrap, index) => {
    const wrapped: unknown = wrap(inner);
    if (isClient(wrapped)) return wrapped;
    throw new EngineError("config.invalid", { field: `middleware[${index}]`, problem: "it returned no client" });
  }, client);
}

/** Creates a middleware from hooks for complete and for streamed calls. */
export function defineClientMiddleware(layer: ClientLayer): ClientMiddleware {
  return (client) => ({
    complete: (request) =>
      layer.complete === undefined
        ? client.complete(request)
        : layer.complete(request, (changed) => client.complete(changed)),
    stream: (request) =>
      layer.stream === undefined ? client.stream(request) : layer.stream(request, (changed) => client.stream(changed)),
    close: () => client.close(),
  });
}
