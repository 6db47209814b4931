// The helper program is passed to Node as source text, because all code may be bundled into one file.
// Functions in this file may therefore reference only each other and their arguments.
import type { ChildProcess, spawn } from "node:child_process";
import type { closeSync, openSync, statSync } from "node:fs";
import type { Duplex, Readable } from "node:stream";

/**
 * A message (frame) between this process and the helper process, identified by a letter. To the helper: `S` starts a
 * command, `I` is standard input and `E` its end, `P` pauses a stream, `R` resumes it, `D` closes it. From the helper:
 * `r` ready, `s` started, `f` failed to start, `1` and `2` output, `c` stream closed, `a` input accepted, `x` exit.
 */
export interface HelperFrame {
  readonly kind: string;
  /** Number of the command. */
  readonly id: number;
  /** Payload of the message: bytes of a stream, or JSON. */
  readonly payload: Buffer;
}

/** A request to the helper process to start a command. */
export interface HelperOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** How to open each standard stream, one entry per stream: a pipe, `ignore`, or the path of a file to open. */
  readonly streams: readonly ("pipe" | "ignore" | { readonly path: string })[];
}

/** Node functions that the helper process uses. */
interface HelperParts {
  readonly spawn: typeof spawn;
  readonly openSync: typeof openSync;
  readonly closeSync: typeof closeSync;
  readonly statSync: typeof statSync;
  readonly channel: Duplex;
}

/** Encodes a frame with a nine-byte header: kind of message, number of the command, length of the payload. */
export function encodeFrame(kind: string, id: number, payload: Uint8Array | string = ""): Buffer {
  const body = typeof payload === "string" ? Buffer.from(payload) : payload;
  const frame = Buffer.allocUnsafe(9 + body.length);
  frame.write(kind, 0, 1, "latin1");
  frame.writeUInt32LE(id, 1);
  frame.writeUInt32LE(body.length, 5);
  frame.set(body, 9);
  return frame;
}

/** Creates a parser that accepts chunks of any size and emits complete frames. */
export function createFrameReader(onFrame: (frame: HelperFrame) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (bytes.length >= 9) {
      const end = 9 + bytes.readUInt32LE(5);
      if (bytes.length < end) break;
      const kind = bytes.toString("latin1", 0, 1);
      onFrame({ kind, id: bytes.readUInt32LE(1), payload: bytes.subarray(9, end) });
      bytes = bytes.subarray(end);
    }
    pending = bytes;
  };
}

function startCommand({ spawn, openSync, closeSync, statSync }: HelperParts, order: HelperOrder): ChildProcess {
  // Checks whether the working folder is missing, because a missing program has the same error code.
  if (statSync(order.cwd, { throwIfNoEntry: false }) === undefined)
    throw Object.assign(new Error(), { code: "ENOFOLDER" });
  const opened: number[] = [];
  try {
    const stdio = order.streams.map((stream, index) => {
      if (typeof stream === "string") return stream;
      const file = openSync(stream.path, index === 0 ? "r" : "a");
      opened.push(file);
      return file;
    });
    const [program = "", ...rest] = order.argv;
    return spawn(program, rest, { cwd: order.cwd, env: { ...order.variables }, detached: true, stdio });
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** Creates a relay for a command's output. It reads only while the channel accepts data, so that little is buffered. */
function createRelay(channel: Duplex) {
  const flowing = new Set<Readable>();
  const paused = new Set<Readable>();
  channel.on("drain", () => {
    for (const stream of flowing) if (!paused.has(stream)) stream.resume();
  });
  return {
    add(stream: Readable | null, id: number, kind: string): void {
      if (stream === null) return;
      flowing.add(stream);
      stream.on("data", (chunk: Buffer) => {
        if (channel.write(encodeFrame(kind, id, chunk))) return;
        for (const other of flowing) other.pause();
      });
      stream.on("error", () => {});
      stream.on("close", () => {
        flowing.delete(stream);
        paused.delete(stream);
        channel.write(encodeFrame("c", id, kind));
      });
    },
    hold(stream: Readable): void {
      paused.add(stream);
      stream.pause();
    },
    release(stream: Readable): void {
      paused.delete(stream);
      if (!channel.writableNeedDrain) stream.resume();
    },
  };
}

/**
 * Ends the process groups of all commands after the parent process has exited: SIGTERM, then SIGKILL two seconds later.
 * See loop: §5.4.
 */
function endGroups(commands: ReadonlyMap<number, ChildProcess>): void {
  const send = (signal: "SIGTERM" | "SIGKILL"): void => {
    for (const { pid } of commands.values()) {
      try {
        if (pid !== undefined) process.kill(-pid, signal);
      } catch {
        // The process group no longer exists.
      }
    }
  };
  if (commands.size === 0) process.exit();
  send("SIGTERM");
  setTimeout(() => {
    send("SIGKILL");
    process.exit();
  }, 2000);
}

function runHelper(parts: HelperParts): void {
  const { channel } = parts;
  const commands = new Map<number, ChildProcess>();
  const relay = createRelay(channel);
  const send = (kind: string, id: number, value: unknown): void => {
    channel.write(encodeFrame(kind, id, JSON.stringify(value)));
  };
  const start = (id: number, payload: Buffer): void => {
    try {
      const child = startCommand(parts, JSON.parse(payload.toString()));
      child.on("error", (error) => {
        if (child.pid === undefined) send("f", id, { code: Object.assign({ code: "" }, error).code });
      });
      if (child.pid === undefined) return;
      commands.set(id, child);
      send("s", id, { pid: child.pid });
      child.stdin?.on("error", () => {});
      child.on("exit", (exitCode, signal) => send("x", id, { exitCode, signal }));
      child.on("close", () => commands.delete(id));
      relay.add(child.stdout, id, "1");
      relay.add(child.stderr, id, "2");
    } catch (error) {
      send("f", id, { code: Object.assign({ code: "" }, error).code });
    }
  };
  const write = (id: number, payload: Buffer): void => {
    const { stdin } = commands.get(id) ?? {};
    if (stdin == null) send("a", id, "EPIPE");
    else stdin.write(Buffer.from(payload), (error) => send("a", id, error == null ? "" : "EPIPE"));
  };
  const read = createFrameReader(({ kind, id, payload }) => {
    if (kind === "S") return start(id, payload);
    if (kind === "I") return write(id, payload);
    const child = commands.get(id);
    if (kind === "E") child?.stdin?.end();
    const name = payload.toString();
    const stream = name === "1" ? child?.stdout : child?.stderr;
    if (kind === "P" && stream != null) relay.hold(stream);
    if (kind === "R" && stream != null) relay.release(stream);
    if (kind === "D") (name === "0" ? child?.stdin : stream)?.destroy();
  });
  channel.on("data", read);
  channel.on("error", () => {});
  channel.on("close", () => endGroups(commands));
  channel.write(encodeFrame("r", 0));
}

/**
 * Returns the source text of the helper program. The Node process that runs it must receive the message channel as its
 * fourth file descriptor.
 */
export function renderHelperProgram(): string {
  // Some bundlers wrap functions in calls of `__name`, a function that does not exist in the helper process.
  const prelude = "var __name=(named)=>named;";
  const functions = [encodeFrame, createFrameReader, startCommand, createRelay, endGroups, runHelper].map(String);
  const call = `(${runHelper.name})({...require("node:child_process"),...require("node:fs"),channel:new (require("node:net").Socket)({fd:3})});`;
  return [prelude, ...functions, call].join("\n");
}
