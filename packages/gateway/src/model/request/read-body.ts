import type { IncomingMessage } from "node:http";
import { EngineError, toEngineError } from "@switchyard/contracts";

/** Limits for reading a body. */
export interface BodyLimits {
  /** Maximum size of the body, in bytes. */
  readonly maxBytes: number;
  /** Called with the size of each chunk before it is stored. Throws if the run stores too much. */
  readonly reserve: (bytes: number) => void;
}

/**
 * Reads the body of a request. Rejects with `gateway.request_too_large` as soon as the body exceeds `maxBytes`, and
 * with `gateway.call_aborted` if the client closes the connection.
 */
export function readBody(request: IncomingMessage, { maxBytes, reserve }: BodyLimits): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (error: EngineError): void => {
      chunks.length = 0;
      request.removeAllListeners("data");
      reject(error);
    };
    if (announced > maxBytes) return stop(new EngineError("gateway.request_too_large", { maxBytes }));
    request.on("data", (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length > maxBytes) return stop(new EngineError("gateway.request_too_large", { maxBytes }));
      try {
        reserve(chunk.byteLength);
      } catch (error) {
        return stop(toEngineError(error));
      }
      chunks.push(chunk);
    });
    request.once("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    const gone = (): void =>
      stop(new EngineError("gateway.call_aborted", { problem: "the engine closed the connection" }));
    request.once("error", gone);
    request.once("close", gone);
  });
}
