import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { EngineError, findEngineError } from "@switchyard/contracts";

/** Slowest pace of a body on average, behind its first `bodyIdleMs`, in bytes a second. */
const MIN_BYTES_PER_SECOND = 500;

/** How much of a body is taken, how slowly, and until when. */
export interface BodyLimits {
  /** Most bytes of it. */
  readonly maxBodyBytes: number;
  /** Most milliseconds in which nothing of it arrives. */
  readonly bodyIdleMs: number;
  /** Ends the reading when it fires. */
  readonly signal: AbortSignal;
}

/**
 * The body of a request as it arrives. Its bytes are counted whatever its length claims. Fails with
 * `server.body_too_large`, with `server.request_timeout` where nothing arrives any more, and with
 * `server.bad_request` where the caller goes away, and with the signal's reason.
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
  // Whoever answers early decides what becomes of the rest.
  request.on("error", onClose);
  signal.addEventListener("abort", onStop, { once: true });
  body.once("close", () => {
    clearTimeout(timer);
    request.off("close", onClose);
    request.unpipe(body);
    signal.removeEventListener("abort", onStop);
  });
  // Both may have happened before anybody listened.
  if (signal.aborted) onStop();
  else if (request.destroyed) onClose();
  else if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) body.destroy(tooLarge(maxBodyBytes));
  else request.pipe(body);
  return body;
}

function tooLarge(maxBodyBytes: number): EngineError {
  return new EngineError("server.body_too_large", { problem: `it has more than ${maxBodyBytes} bytes` });
}
