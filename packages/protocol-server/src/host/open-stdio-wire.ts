import type { Wire } from "./task-host.ts";

/**
 * Returns the standard input and output of a process as a wire (the streams of a protocol connection). After this call,
 * nothing else may read standard input or print to standard output.
 */
export function openStdioWire({ stdin, stdout }: Pick<NodeJS.Process, "stdin" | "stdout">): Wire {
  return {
    readable: new ReadableStream<Uint8Array>({
      start(controller) {
        stdin.on("data", (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
        stdin.once("end", () => controller.close());
        stdin.once("error", (error) => controller.error(error));
      },
    }),
    writable: new WritableStream<Uint8Array>({
      write: (chunk) =>
        new Promise((resolve, reject) => {
          stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
    }),
  };
}
