import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { EngineError, findEngineError } from "@switchyard/contracts";

/**
 * Minimum average rate of a request body, in bytes per second. The bytes received so far may take as long as at this
 * rate, plus `bodyIdleMs`. If they take longer, the request is rejected.
 */
const MIN_BYTES_PER_SECOND = 500;

/** Limits for reading a body. */
export interface BodyLimits {
  /** Maximum size, in bytes. */
  readonly maxBodyBytes: number;
  /** Maximum time between two chunks of the body, in milliseconds. */
  readonly bodyIdleMs: number;
  /** Signal that stops reading. */
  readonly signal: AbortSignal;
}

/**
 * Returns the body of a request as a stream. The size limit applies to the received bytes, regardless of the declared
 * length. Fails with `server.body_too_large`, `server.request_timeout` if no more data arrives, `server.bad_request` if
 * the client disconnects, or the signal's reason.
 */
export function limitedBody(request: IncomingMessage, { maxBodyBytes, bodyIdleMs, signal }: BodyLimits): Transform {
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _, done) {
      timer.refresh();
      bytes += chunk.length;
      const isTooSlow = performance.now() - startedMs > bodyIdleMs + (bytes / MIN_BYTES_PER_SECOND) * 1_000;
      if (bytes > maxBodyBytes) done(tooLarge(maxBodyBytes));
      else done(isTooSlow ? new EngineError("server.request_timeout", { timeoutMs: bodyIdleMs }) : undefined, chunk);
    },
  });
  // If the handler rejects the request without reading the body, nothing else handles the body's error.
  body.on("error", () => undefined);
  const startedMs = performance.now();
  const timer = setTimeout(
    () => void body.destroy(new EngineError("server.request_timeout", { timeoutMs: bodyIdleMs })),
    bodyIdleMs,
  );
  const onClose = (): void => {
    if (!request.complete) body.destroy(new EngineError("server.bad_request", { problem: "it was cut off" }));
  };
  const onStop = (): void => void body.destroy(findEngineError(signal.reason) ?? new EngineError("server.draining"));
  request.once("close", onClose);
  // A request error is handled like a closed connection.
  // If the handler sends an early response, the handler decides what happens to the rest of the request body.
  request.on("error", onClose);
  signal.addEventListener("abort", onStop, { once: true });
  body.once("close", () => {
    clearTimeout(timer);
    request.off("close", onClose);
    request.unpipe(body);
    signal.removeEventListener("abort", onStop);
  });
  // The signal may have aborted, or the connection closed, before the listeners were attached.
  if (signal.aborted) onStop();
  else if (request.destroyed) onClose();
  else if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) body.destroy(tooLarge(maxBodyBytes));
  else request.pipe(body);
  return body;
}

function tooLarge(maxBodyBytes: number): EngineError {
  return new EngineError("server.body_too_large", { problem: `it has more than ${maxBodyBytes} bytes` });
}
