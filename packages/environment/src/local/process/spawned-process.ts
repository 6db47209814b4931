import type { Readable, Writable } from "node:stream";
import type { SpawnedProcess } from "@switchyard/contracts";
import type { BufferedStream } from "./buffered-stream.ts";
import type { LocalProcess } from "./local-process.ts";

/** Bytes that wait for the reader; past it the process waits too. */
const QUEUE_BYTES = 64 * 1024;

/** Hands a process to the caller: byte streams of the web, its end, and its disposal. */
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
 * Reads from the start, into a bounded queue. Ends without an error also where the stream is torn down; how the process ended is told by `exited`.
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
    // Not in `abort`, which waits for the write under way: nobody may ever read that.
    start(controller) {
      // The types of Node 20 do not know the signal.
      if (!("signal" in controller) || !(controller.signal instanceof AbortSignal)) return;
      controller.signal.addEventListener("abort", () => stream?.destroy());
    },
    write: (chunk) =>
      new Promise((resolve, reject) => {
        if (stream === undefined) reject(new Error("The process has no standard input."));
        else stream.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    // The end of the input of a program that has ended reaches nobody, and `end` would never tell of it.
    close: () =>
      new Promise((resolve) => {
        if (stream === undefined || stream.destroyed) return resolve();
        stream.once("close", resolve);
        stream.end(resolve);
      }),
  });
}
