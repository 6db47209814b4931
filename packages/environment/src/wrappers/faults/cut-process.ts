import type { SpawnedProcess } from "@switchyard/contracts";

/** Truncates the streams of a process. The process's real output is still read to the end. */
export function cutProcess(process: SpawnedProcess, length: number): SpawnedProcess {
  return {
    pid: process.pid,
    stdin: process.stdin,
    stdout: cutStream(process.stdout, length),
    stderr: cutStream(process.stderr, length),
    exited: process.exited,
    kill: (signal) => process.kill(signal),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}

function cutStream(stream: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  let remaining = length;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const start = chunk.subarray(0, remaining);
      remaining -= start.length;
      if (start.length > 0) controller.enqueue(start);
    },
  });
  return stream.pipeThrough(cut);
}
