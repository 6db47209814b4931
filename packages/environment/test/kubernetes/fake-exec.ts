import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { WebSocket } from "ws";

/** Bytes that may wait for the client; past it the process waits too. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Fault of one program call in a pod. */
export type ExecFault = "drop" | "no_status";

/** Carries the streams of a process over a web socket, as `v5.channel.k8s.io` has it. */
export function carryExec(socket: WebSocket, child: ChildProcess, fault: ExecFault | undefined): void {
  const send = (channel: number, bytes: Buffer): void => {
    if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  };
  const carry = (stream: Readable | null, channel: number): void => {
    stream?.on("data", (chunk: Buffer) => {
      send(channel, chunk);
      if (fault === "drop") socket.terminate();
      if (socket.bufferedAmount <= MAX_WAITING_BYTES) return;
      stream.pause();
      const timer = setInterval(() => {
        if (socket.bufferedAmount > MAX_WAITING_BYTES && socket.readyState === socket.OPEN) return;
        clearInterval(timer);
        stream.resume();
      }, 5);
    });
  };
  const end = (status: object): void => {
    if (fault !== "no_status") send(3, Buffer.from(JSON.stringify({ metadata: {}, ...status })));
    socket.close(1000);
  };
  child.on("error", ({ message }) => end(failedStart(message)));
  child.stdin?.on("error", () => {});
  carry(child.stdout, 1);
  carry(child.stderr, 2);
  socket.on("message", (data: Buffer) => {
    const bytes = Buffer.from(data);
    if (bytes[0] === 0) child.stdin?.write(bytes.subarray(1));
    // 255 closes the named channel: version 5 of the protocol reports the end of standard input this way.
    else if (bytes[0] === 255 && bytes[1] === 0) child.stdin?.end();
  });
  // As on a real node, the process survives its client; only its standard input ends.
  socket.on("close", () => child.stdin?.end());
  child.on("close", (code, signal) => end(statusOf(code, signal)));
}

function failedStart(message: string): object {
  const text = `Internal error occurred: error executing command in container: ${message}`;
  return { status: "Failure", reason: "InternalError", message: text, code: 500 };
}

function statusOf(code: number | null, signal: NodeJS.Signals | null): object {
  const exit = code ?? 128 + (signal === null ? 1 : constants.signals[signal]);
  if (exit === 0) return { status: "Success" };
  const message = `command terminated with non-zero exit code: exit status ${exit}`;
  const details = { causes: [{ reason: "ExitCode", message: String(exit) }] };
  return { status: "Failure", reason: "NonZeroExitCode", message, details };
}
