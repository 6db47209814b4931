import { EngineError } from "@switchyard/contracts";

/** What a watch over a body needs. */
export interface WatchBodyOptions {
  /** Most bytes to let through. */
  maxBytes: number;
  /** Past the limit: cut the body short instead of failing. */
  truncate: boolean;
  /** Provider that the error names. */
  provider: string;
  /** Told whenever bytes arrive. */
  heard: () => void;
}

/** The same response with a bounded body that reports every piece. Errors: `llm.invalid_response` past the limit. */
export function watchBody(response: Response, options: WatchBodyOptions): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let total = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        total += value.byteLength;
        options.heard();
        if (total <= options.maxBytes) return controller.enqueue(value);
        await reader.cancel();
        if (options.truncate) return controller.close();
        const problem = `it is larger than ${options.maxBytes} bytes`;
        controller.error(new EngineError("llm.invalid_response", { provider: options.provider, problem }));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
