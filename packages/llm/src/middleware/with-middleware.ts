import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from "@switchyard/contracts";

/**
 * Wraps a client round both kinds of call. Contract: safe for concurrent use; `close` closes the client below; leaving
 * a stream leaves the stream below. Every `with…` function makes one: `(client) => withCost(client)`.
 * unified-llm-client: middleware.
 */
export type ClientMiddleware = (client: Client) => Client;

/** What a middleware of one's own does round calls; a kind of call that is left out goes through as it is. */
export interface ClientLayer {
  /** Round a call that is answered whole. `next` makes it. */
  complete?(request: ModelRequest, next: (request: ModelRequest) => Promise<ModelResponse>): Promise<ModelResponse>;
  /** Round a call that is streamed. `next` begins it when it is iterated. */
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
 * A client with middleware round it: the first is the outermost, so a call runs first, second, …, client. One that
 * returns no client is refused at once with `config.invalid`. unified-llm-client: middleware.
 */
export function withMiddleware(client: Client, middleware: readonly ClientMiddleware[]): Client {
  return middleware.reduceRight<Client>((inner, wrap, index) => {
    const wrapped: unknown = wrap(inner);
    if (isClient(wrapped)) return wrapped;
    throw new EngineError("config.invalid", { field: `middleware[${index}]`, problem: "it returned no client" });
  }, client);
}

/** A middleware from functions round the two kinds of call. */
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
