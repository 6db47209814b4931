import { certificateProblem, EngineError, messageOf } from "@switchyard/contracts";
import { pause, type Retries, retryDelayMs } from "./retries.ts";
import type { ServerAddress } from "./server-address.ts";
import { parseProblem, ServerProblem } from "./server-problem.ts";

/** Characters of a refusal that are read. */
const MAX_PROBLEM_CHARS = 64 * 1024;

/** One request. */
export interface ServerCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the address, with its query. */
  readonly path: string;
  /** What is sent as JSON. */
  readonly json?: unknown;
  /** What is sent as a form, in place of JSON. */
  readonly form?: FormData | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether sending it twice is sending it once. */
  readonly isRepeatable: boolean;
}

/**
 * Sends a request, again where that does no harm and may help, and gives an answer of 2xx. Rejects with a
 * {@link ServerProblem}, `server.unreachable` or `server.bad_answer`, and with the signal's reason.
 */
export async function callServer(address: ServerAddress, call: ServerCall, retries: Retries): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(address, call);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!call.isRepeatable || tries > retries.most || !mayTryAgain(error)) throw error;
      await pause(retryDelayMs(tries, error, retries), retries, call.signal);
    }
  }
}

/** Whether the same request may succeed later. */
export function mayTryAgain(error: unknown): boolean {
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
      // Elsewhere nobody is to see the token.
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
  // What stands in front of a server says so without a problem of ours.
  if (response.status === 429 || response.status >= 502) {
    return new EngineError("server.unreachable", { url: address.url, problem: `HTTP ${response.status}` });
  }
  return badAnswer(address, `HTTP ${response.status}`);
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

/** The pieces of a body; leaving them closes the connection. */
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

/** The error of a server that was not reached. */
export function unreachable({ url }: ServerAddress, error: unknown): EngineError {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const problem =
    certificateProblem(error) ?? (cause instanceof Error && cause.message !== "" ? cause.message : messageOf(error));
  return new EngineError("server.unreachable", { url, problem });
}

/** The error of an answer that is none of a server's. */
export function badAnswer({ url }: ServerAddress, problem: string): EngineError {
  return new EngineError("server.bad_answer", { url, problem });
}
