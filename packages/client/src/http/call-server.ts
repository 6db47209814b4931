import { certificateProblem, EngineError, messageOf } from "@switchyard/contracts";
import { pause, type Retries, retryDelayMs } from "./retries.ts";
import type { ServerAddress } from "./server-address.ts";
import { parseProblem, ServerProblem } from "./server-problem.ts";

/** Number of characters after which reading an error response stops. */
const MAX_PROBLEM_CHARS = 64 * 1024;

/** A request. */
export interface ServerCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path and query, relative to the base URL. */
  readonly path: string;
  /** Body as JSON. */
  readonly json?: unknown;
  /** Request body as a multipart form, instead of JSON. */
  readonly form?: FormData | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if the request is idempotent and may be retried. */
  readonly isRepeatable: boolean;
}

/**
 * Sends a request and resolves with a 2xx response. Retries the request if that is safe and may succeed. Rejects with a
 * {@link ServerProblem}, with `server.unreachable` or `server.bad_answer`, or with the signal's reason.
 */
export async function callServer(address: ServerAddress, call: ServerCall, retries: Retries): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(address, call);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!call.isRepeatable || tries > retries.maxRetries || !isRetryable(error)) throw error;
      await pause(retryDelayMs(tries, error, retries), retries, call.signal);
    }
  }
}

/** Returns true if a request that failed with this error may succeed later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ServerProblem) return error.retryable && (error.status === 429 || error.status >= 500);
  return EngineError.is(error, "server.unreachable");
}

async function send(address: ServerAddress, call: ServerCall): Promise<Response> {
  const { method, path, json, form, headers = {}, signal } = call;
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  const type = json === undefined || form !== undefined ? {} : { "content-type": "application/json" };
  let response: Response;
  try {
    response = await address.fetch(`${address.url}${path}`, {
      ...{ method, headers: { ...address.headers, ...type, ...headers }, signal: signal ?? null },
      ...(body === undefined ? {} : { body }),
      // Redirects are not followed, because they could leak the token to another server.
      redirect: "error",
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(address, error);
  }
  if (response.ok) return response;
  throw await problemOf(address, response);
}

async function problemOf(address: ServerAddress, response: Response): Promise<Error> {
  const text = await textOf(response).catch(() => "");
  const problem = parseProblem(text);
  if (problem !== undefined) return new ServerProblem({ ...problem, status: response.status });
  // HTTP statuses that a proxy may send without a problem document (RFC 9457).
  if (response.status === 429 || response.status >= 502) {
    return new EngineError("server.unreachable", { url: address.url, problem: `HTTP ${response.status}` });
  }
  return invalidResponse(address, `HTTP ${response.status}`);
}

async function textOf(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of piecesOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PROBLEM_CHARS) break;
  }
  return text;
}

/** Streams the chunks of a body; stopping the iteration closes the connection. */
export async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns the error for a server that cannot be reached. */
export function unreachable({ url }: ServerAddress, error: unknown): EngineError {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const problem =
    certificateProblem(error) ?? (cause instanceof Error && cause.message !== "" ? cause.message : messageOf(error));
  return new EngineError("server.unreachable", { url, problem });
}

/** Returns the error for a response that is not from a Switchyard server. */
export function invalidResponse({ url }: ServerAddress, problem: string): EngineError {
  return new EngineError("server.bad_answer", { url, problem });
}
