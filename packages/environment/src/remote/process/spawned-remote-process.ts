import type { SpawnedProcess } from "@switchyard/contracts";
import type { CommandStream } from "./command-stream.ts";
import type { RemoteProcess } from "./remote-process.ts";

/** Bytes that wait for the reader; past it the process waits too. The news of its end come behind them. */
const QUEUE_BYTES = 1024 * 1024;
/** A program that prints for a reader who has gone is told so as often as this. */
const GONE_EVERY_MS = 100;

/** Hands a process to the caller: byte streams of the web, its end, and its disposal. */
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
  let lastTold = Number.NEGATIVE_INFINITY;
  // The pipe of the place stays open: the news of the end come through it. So the program does not find out by itself.
  const tellGone = (): void => {
    if (performance.now() - lastTold < GONE_EVERY_MS) return;
    lastTold = performance.now();
    process.signal("SIGPIPE");
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream.take((chunk) => {
          if (!open) return tellGone();
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
