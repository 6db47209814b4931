import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { EngineError } from "@switchyard/contracts";
import type { Dispatcher } from "undici";
import type { ModelGatewayLimits } from "../gateway-limits.ts";

/** Maximum size of a response that reports a failure, in bytes. */
const MAX_FAILURE_BYTES = 1024 * 1024;

/** Response headers that describe one connection, or would change the client's later requests. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["upgrade", "set-cookie", "set-cookie2", "alt-svc", "content-encoding", "location", "refresh", "link"],
]);

/** Result of one request to a provider. */
export type AttemptResult =
  /** The response was forwarded to its end. */
  | { readonly kind: "forwarded" }
  /** The response was ended after its first byte was forwarded. */
  | { readonly kind: "broken"; readonly error: EngineError }
  /** The provider responded with a failure, of which nothing was forwarded. */
  | { readonly kind: "status"; readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
  /** The provider did not respond, or nothing could be forwarded. */
  | { readonly kind: "failed"; readonly error: EngineError };

/** What a forwarder needs. */
export interface ForwarderOptions {
  /** Response to the engine. */
  readonly response: ServerResponse;
  /** Name of the provider, for errors. */
  readonly provider: string;
  readonly limits: ModelGatewayLimits;
  /** Returns whether a text contains an API key. */
  readonly hasKey: (text: string) => boolean;
  /** Called with the content type when the first byte is forwarded. */
  readonly onStart: (contentType: string) => void;
  /** Called with each chunk that is forwarded. */
  readonly onChunk: (chunk: Buffer) => void;
  /** Called once with the result. */
  readonly onResult: (result: AttemptResult) => void;
}

function asText(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value?.join(", ") ?? "");
}

/** Returns the headers that are forwarded to the engine. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  hasKey: (text: string) => boolean,
): Record<string, string | string[]> {
  const forwarded: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !NOT_FORWARDED.has(name) && !hasKey(asText(value))) forwarded[name] = value;
  }
  return forwarded;
}

/**
 * Forwards one response of a provider as it arrives, without parsing it. A response with a failure status is collected
 * instead, so that the request can be retried.
 */
export class ResponseForwarder implements Dispatcher.DispatchHandler {
  readonly #options: ForwarderOptions;
  readonly #resume: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #isForwarding = false;
  #hasStarted = false;
  #failure: Buffer[] = [];
  #bytes = 0;
  /** First error for which the forwarder ended the response. */
  #error: EngineError | undefined;
  #isOver = false;
  /** Number of bytes at the previous check of the time limits, and the time without progress until that check. */
  #checked = { bytes: -1, isPaused: false, idleMs: 0 };

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#resume = () => this.#controller?.resume();
    options.response.on("drain", this.#resume);
  }

  /** Ends the response with an error. */
  stop(error: EngineError): void {
    this.#error ??= error;
    if (this.#controller === undefined) this.#finish(this.#failed());
    else this.#controller.abort(error);
  }

  /** Ends the response if there was no progress for too long. `elapsedMs` is the time since the previous check. */
  check(elapsedMs: number): void {
    const { upstreamTimeoutMs, clientTimeoutMs } = this.#options.limits;
    const isPaused = this.#controller?.paused === true;
    const isIdle = this.#checked.bytes === this.#bytes && this.#checked.isPaused === isPaused;
    this.#checked = { bytes: this.#bytes, isPaused, idleMs: isIdle ? this.#checked.idleMs + elapsedMs : 0 };
    const timeoutMs = isPaused ? clientTimeoutMs : upstreamTimeoutMs;
    if (this.#checked.idleMs < timeoutMs) return;
    const code = isPaused ? "gateway.client_stalled" : "gateway.upstream_timeout";
    this.stop(new EngineError(code, { timeoutMs, provider: this.#options.provider }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#error !== undefined) controller.abort(this.#error);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#isForwarding = status < 300;
    const encoding = asText(headers["content-encoding"]);
    if (this.#isForwarding && encoding !== "" && encoding !== "identity") {
      this.#error = this.#upstreamError(`its response has the encoding ${encoding}, which was not requested.`, true);
      controller.abort(this.#error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.byteLength;
    const maxBytes = this.#isForwarding ? this.#options.limits.maxResponseBytes : MAX_FAILURE_BYTES;
    if (this.#bytes > maxBytes) {
      this.stop(new EngineError("gateway.response_too_large", { provider: this.#options.provider, maxBytes }));
      return;
    }
    if (!this.#isForwarding) {
      this.#failure.push(chunk);
      return;
    }
    this.#start();
    this.#options.onChunk(chunk);
    if (!this.#options.response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (!this.#isForwarding) {
      const body = Buffer.concat(this.#failure);
      this.#finish({ kind: "status", status: this.#status, headers: this.#headers, body });
      return;
    }
    this.#start();
    this.#options.response.end();
    this.#finish({ kind: "forwarded" });
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#error ??= this.#upstreamError(problemOf(cause), false, cause);
    this.#finish(this.#failed());
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const { response, hasKey, onStart } = this.#options;
    onStart(asText(this.#headers["content-type"]));
    response.writeHead(this.#status, forwardedHeaders(this.#headers, hasKey));
  }

  #failed(): AttemptResult {
    const error = this.#error ?? this.#upstreamError("it sent no response.", false);
    return { kind: this.#hasStarted ? "broken" : "failed", error };
  }

  #finish(result: AttemptResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.response.off("drain", this.#resume);
    this.#options.onResult(result);
  }

  #upstreamError(problem: string, isFinal: boolean, cause?: Error): EngineError {
    const { provider } = this.#options;
    return new EngineError("gateway.upstream_failed", { provider, problem }, { cause, isFinal });
  }
}

/** Describes a failed connection. Never contains the request, whose headers contain the API key. */
function problemOf(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return `the connection failed (${code}).`;
}
