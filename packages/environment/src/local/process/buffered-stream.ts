import type { Readable } from "node:stream";

/** A stream whose bytes are kept until somebody takes them. */
export interface BufferedStream {
  /** Hands all bytes to a sink: those that came before at once, the others as they come. */
  take(sink: (chunk: Buffer) => void): void;
}

/**
 * Holds a stream of a process from its start. Node reads and throws away what nobody listens to when a process ends,
 * and a short command may end before its caller has had a turn.
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
