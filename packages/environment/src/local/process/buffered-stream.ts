import type { Readable } from "node:stream";

/** A stream whose bytes are buffered until a consumer is attached. */
export interface BufferedStream {
  /** Passes all bytes of the stream to a consumer: buffered bytes immediately, later bytes as they arrive. */
  take(sink: (chunk: Buffer) => void): void;
}

/**
 * Buffers the stream of a process from its start. Node discards unread data when a process exits, and a short command
 * may exit before its caller can attach a listener.
 */
export function bufferStream(stream: Readable): BufferedStream {
  const early: Buffer[] = [];
  let deliver = (chunk: Buffer): void => {
    early.push(chunk);
  };
  stream.pause();
  stream.on("data", (chunk: Buffer) => deliver(chunk));
  return {
    take(sink) {
      for (const chunk of early.splice(0)) sink(chunk);
      deliver = sink;
      stream.resume();
    },
  };
}
