import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { HelperFrame } from "./helper-program.ts";

/**
 * Maximum size, in bytes, of one chunk of a command's standard input. Larger chunks are split so that they do not delay
 * messages of other commands.
 */
const PIECE_BYTES = 256 * 1024;

/** Sends one message (frame) about a command to the helper process. */
export type FrameSender = (kind: string, payload?: Uint8Array | string) => void;

/**
 * Handle of a command that the helper process has started. It has the same events and streams as a Node child process.
 */
export interface HelperChild {
  /** Emits `exit` and `close` like a Node child process. */
  readonly events: EventEmitter<{ exit: [number | null, NodeJS.Signals | null]; close: [] }>;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Starts emitting events. Messages of the helper process that arrived earlier were buffered, and are handled now. */
  begin(): void;
  /** Handles a message (frame) from the helper process. */
  take(frame: HelperFrame): void;
  /** Handles the exit of the helper process, after which the command can no longer be observed. */
  lose(): void;
}

/** For each standard stream of a command, whether it is a pipe. */
export interface HelperStreams {
  readonly takesInput: boolean;
  readonly hasOutput: boolean;
}

/** Creates the handle of a command that the helper process has started. */
export function createHelperChild(send: FrameSender, streams: HelperStreams): HelperChild {
  const events: HelperChild["events"] = new EventEmitter();
  const stdin = streams.takesInput ? createInput(send) : undefined;
  const stdout = createOutput(send, "1");
  const stderr = createOutput(send, "2");
  let [exited, open] = [false, 2];
  const finish = (): void => {
    if (exited && open === 0) events.emit("close");
  };
  for (const output of [stdout, stderr]) {
    const { stream } = output;
    if (!streams.hasOutput) output.push(null);
    stream.once("close", () => {
      open -= 1;
      finish();
    });
  }
  const exit = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
    if (exited) return;
    exited = true;
    stdin?.stream.destroy();
    events.emit("exit", exitCode, signal);
    // Discards remaining output that has no reader, as Node does when a child process exits.
    for (const { stream } of [stdout, stderr]) stream.resume();
    finish();
  };
  let early: HelperFrame[] | undefined = [];
  const take = ({ kind, payload }: HelperFrame): void => {
    if (kind === "1") stdout.push(payload);
    else if (kind === "2") stderr.push(payload);
    else if (kind === "c") (payload.toString() === "1" ? stdout : stderr).push(null);
    else if (kind === "a") stdin?.acknowledge(payload.toString() !== '""');
    else if (kind === "x") {
      const reported: { exitCode: number | null; signal: NodeJS.Signals | null } = JSON.parse(payload.toString());
      exit(reported.exitCode, reported.signal);
    }
  };
  const begin = (): void => {
    const frames = early ?? [];
    early = undefined;
    frames.forEach(take);
  };
  return {
    events,
    stdin: stdin?.stream,
    stdout: stdout.stream,
    stderr: stderr.stream,
    begin,
    take(frame) {
      if (early === undefined) take(frame);
      else early.push(frame);
    },
    lose() {
      begin();
      stdin?.acknowledge(true);
      for (const output of [stdout, stderr]) output.push(null);
      exit(null, "SIGKILL");
    },
  };
}

interface Output {
  readonly stream: Readable;
  push(chunk: Buffer | null): void;
}

function createOutput(send: FrameSender, name: string): Output {
  let [held, ended] = [false, false];
  const stream = new Readable({
    highWaterMark: 64 * 1024,
    read() {
      if (held) send("R", name);
      held = false;
    },
    destroy(_error, done) {
      if (!ended) send("D", name);
      ended = true;
      done(null);
    },
  });
  return {
    stream,
    push(chunk) {
      if (stream.destroyed || ended) return;
      if (chunk === null) ended = true;
      // The payload is copied, because it is part of a larger buffer that would otherwise stay in memory.
      const wantsMore = stream.push(chunk === null || stream.readableFlowing === true ? chunk : Buffer.from(chunk));
      if (wantsMore || chunk === null || held) return;
      held = true;
      send("P", name);
    },
  };
}

function createInput(send: FrameSender): { readonly stream: Writable; acknowledge(failed: boolean): void } {
  const waiting: { missing: number; done: (error?: Error | null) => void }[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      waiting.push({ missing: Math.max(1, Math.ceil(chunk.length / PIECE_BYTES)), done });
      for (let from = 0; from === 0 || from < chunk.length; from += PIECE_BYTES)
        send("I", chunk.subarray(from, from + PIECE_BYTES));
    },
    final(done) {
      send("E");
      done();
    },
    destroy(error, done) {
      if (!stream.writableFinished) send("D", "0");
      done(error);
    },
  });
  return {
    stream,
    acknowledge(failed) {
      const [first] = waiting;
      if (first === undefined) return;
      first.missing -= 1;
      if (!failed && first.missing > 0) return;
      waiting.shift();
      first.done(failed ? Object.assign(new Error("The process takes no more input."), { code: "EPIPE" }) : null);
    },
  };
}
