import type { ShellSink } from "./shell-file-system.ts";

/** Maximum number of bytes queued for the reader. While the queue is full, the command waits. */
const QUEUE_BYTES = 64 * 1024;

/** A byte stream that a command writes to and a caller reads. */
export interface ByteSource {
  readonly stream: ReadableStream<Uint8Array>;
  /** Queues bytes. Resolves when there is space for more. */
  readonly write: ShellSink;
  /** Lets waiting writers continue, and discards all later output. */
  abandon(): void;
  /** Ends the stream after all queued bytes have been read. */
  close(): void;
}

/** Creates a byte stream with a bounded queue. */
export function createByteSource(): ByteSource {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let resumeWriter: (() => void) | undefined;
  const release = (): void => {
    resumeWriter?.();
    resumeWriter = undefined;
  };
  const forget = (): void => {
    controller = undefined;
    release();
  };
  let isAbandoned = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (streamController) => {
        controller = streamController;
      },
      pull: release,
      cancel: forget,
    },
    { highWaterMark: QUEUE_BYTES, size: (chunk) => chunk?.length ?? 0 },
  );
  return {
    stream,
    write(bytes) {
      if (controller === undefined || isAbandoned) return;
      controller.enqueue(bytes.slice());
      if ((controller.desiredSize ?? 0) > 0) return;
      return new Promise((resolve) => {
        resumeWriter = resolve;
      });
    },
    abandon() {
      isAbandoned = true;
      release();
    },
    close() {
      controller?.close();
      forget();
    },
  };
}
