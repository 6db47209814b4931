import { EngineError } from "@switchyard/contracts";

/** Performs HTTP requests. */
export type Fetch = typeof globalThis.fetch;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Returns a function that counts the bytes of one message: of the complete response body, or of the current event of a
 * stream.
 */
function counterOf(isStream: boolean): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isLineEmpty = true;
  if (!isStream) return (chunk) => (bytes += chunk.length);
  return (chunk) => {
    let most = 0;
    for (const byte of chunk) {
      bytes++;
      if (bytes > most) most = bytes;
      if (byte === CARRIAGE_RETURN) continue;
      // An empty line ends an event.
      if (byte === LINE_FEED && isLineEmpty) bytes = 0;
      isLineEmpty = byte === LINE_FEED;
    }
    return most;
  };
}

/** Wraps `fetch` so that a response fails if one message, a body or an event of a stream, exceeds `maxBytes`. */
export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers, url } = response;
    if (body === null) return response;
    const count = counterOf(/^text\/event-stream\b/i.test(headers.get("content-type") ?? ""));
    const bounded = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          if (count(chunk) > maxBytes) {
            controller.error(
              new EngineError("mcp.malformed", { problem: `it sent more than ${maxBytes} bytes at once` }),
            );
          } else controller.enqueue(chunk);
        },
      }),
    );
    const answer = new Response(bounded, { status, statusText, headers });
    // The property `url` is copied, because callers use it to detect redirects.
    Object.defineProperty(answer, "url", { value: url });
    return answer;
  };
}
