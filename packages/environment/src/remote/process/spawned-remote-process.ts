import type { SpawnedProcess } from "@switchyard/contracts";
import type { CommandStream } from "./command-stream.ts";
import type { RemoteProcess } from "./remote-process.ts";

/**
 * Maximum number of output bytes queued for the reader. While the queue is full, the process cannot write, and its exit
 * is not reported.
 */
const QUEUE_BYTES = 1024 * 1024;
/** Minimum interval between SIGPIPE signals to a program whose reader closed the pipe, in milliseconds. */
const SIGPIPE_INTERVAL_MS = 100;

/** Converts a process to the public `SpawnedProcess` interface: web streams of bytes, its exit, and disposal. */
export function toSpawnedRemoteProcess(process: RemoteProcess, signal: AbortSignal | undefined): SpawnedProcess {
  const onAbort = (): void => void process.stop();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  void process.finished.then(() => signal?.removeEventListener("abort", onAbort));
  return {
    pid: process.pid,
    stdin: new WritableStream({
      write: (chunk) => process.input.write(chunk),
      close: () => process.closeInput(),
      abort: () => process.closeInput(),
    }),
    stdout: toByteSource(process, process.output.stdout),
    stderr: toByteSource(process, process.output.stderr),
    exited: process.exited,
    kill: (name = "SIGTERM") => process.signal(name),
    async [Symbol.asyncDispose]() {
      await process.stop();
      await process.finished;
      await process.release();
    },
  };
}

function toByteSource(process: RemoteProcess, stream: CommandStream): ReadableStream<Uint8Array> {
  let open = true;
  let wake: () => void = () => {};
  let lastSignalMs = Number.NEGATIVE_INFINITY;
  // Sends SIGPIPE in place of the kernel. The kernel does not send it, because the remote pipe stays open until the
  // exit is reported through it.
  const signalClosedReader = (): void => {
    if (performance.now() - lastSignalMs < SIGPIPE_INTERVAL_MS) return;
    lastSignalMs = performance.now();
    process.signal("SIGPIPE");
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream.take((chunk) => {
          if (!open) return signalClosedReader();
          controller.enqueue(new Uint8Array(chunk));
          if ((controller.desiredSize ?? 0) > 0) return undefined;
          return new Promise<void>((resolve) => {
            wake = resolve;
          });
        });
        void stream.closed.then(() => {
          if (open) controller.close();
          open = false;
        });
      },
      pull() {
        wake();
      },
      cancel() {
        open = false;
        wake();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
  );
}
