import type { Readable, Writable } from "node:stream";
import type { SpawnedProcess } from "@switchyard/contracts";
import type { BufferedStream } from "./buffered-stream.ts";
import type { LocalProcess } from "./local-process.ts";

/** Maximum number of output bytes queued for the reader. While the queue is full, the process cannot write. */
const QUEUE_BYTES = 64 * 1024;

/** Converts a process to the public `SpawnedProcess` interface: web streams of bytes, its exit, and disposal. */
export function toSpawnedProcess(process: LocalProcess, signal: AbortSignal | undefined): SpawnedProcess {
  const { stdin, stdout, stderr } = process.child;
  const { output } = process;
  const onAbort = (): void => void process.stop();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  void process.finished.then(() => signal?.removeEventListener("abort", onAbort));
  return {
    pid: process.child.pid,
    stdin: toByteSink(stdin),
    stdout: toByteSource(stdout, output.stdout),
    stderr: toByteSource(stderr, output.stderr),
    exited: process.exited,
    kill: (name = "SIGTERM") => process.signal(name),
    async [Symbol.asyncDispose]() {
      await process.stop();
      await process.finished;
      process.release();
    },
  };
}

/**
 * Returns a web stream for a process's output. Output is read into a bounded queue from the start. The returned stream
 * ends without an error even if the source is destroyed; `exited` reports the outcome.
 */
function toByteSource(stream: Readable, held: BufferedStream): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        held.take((chunk) => {
          if (open) controller.enqueue(new Uint8Array(chunk));
          if ((controller.desiredSize ?? 0) <= 0) stream.pause();
        });
        stream.once("close", () => {
          if (open) controller.close();
          open = false;
        });
      },
      pull() {
        stream.resume();
      },
      cancel() {
        open = false;
        stream.destroy();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
  );
}

function toByteSink(stream: Writable | undefined): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    // The abort signal of the controller is used instead of the `abort` callback. The callback would wait for the
    // current write, which may never be read.
    start(controller) {
      // The type declarations of Node 20 lack `controller.signal`.
      if (!("signal" in controller) || !(controller.signal instanceof AbortSignal)) return;
      controller.signal.addEventListener("abort", () => stream?.destroy());
    },
    write: (chunk) =>
      new Promise((resolve, reject) => {
        if (stream === undefined) reject(new Error("The process has no standard input."));
        else stream.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    // If the program has exited, nothing reads its input, and the callback of `end` would never be called.
    close: () =>
      new Promise((resolve) => {
        if (stream === undefined || stream.destroyed) return resolve();
        stream.once("close", resolve);
        stream.end(resolve);
      }),
  });
}
