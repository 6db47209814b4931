import { setTimeout as delay } from "node:timers/promises";
import type { TextInput } from "@switchyard/terminal";

/** Time in which a terminal hands over what was typed before, in milliseconds. */
const DRAIN_MS = 20;
/** What Ctrl-C is where the terminal makes no signal of it. */
const INTERRUPT = 0x03;

type TerminalInput = Pick<NodeJS.ReadStream, "setRawMode" | "isTTY" | "readableEnded" | "destroyed"> &
  NodeJS.ReadableStream;

/**
 * Reads lines from a terminal, only while somebody asks for one: a command in the background that reads is stopped by
 * its shell. `raise` is told of a Ctrl-C that came while the terminal made no signal of it.
 */
export function createLineReader(
  stream: () => TerminalInput,
  raise: (signal: "SIGINT") => void,
): Pick<TextInput, "dropTyped" | "readLine"> {
  return {
    dropTyped: () => dropTyped(stream(), raise),
    readLine: (signal) => readLine(stream(), signal),
  };
}

async function dropTyped(stream: TerminalInput, raise: (signal: "SIGINT") => void): Promise<void> {
  if (stream.isTTY !== true || isOver(stream)) return;
  let isInterrupted = false;
  const drop = (chunk: Buffer | string): void => {
    isInterrupted ||= Buffer.from(chunk).includes(INTERRUPT);
  };
  // Else the terminal would keep a line that was begun, and one key would end it.
  stream.setRawMode(true);
  stream.on("data", drop).resume();
  try {
    await delay(DRAIN_MS);
  } finally {
    stream.off("data", drop);
    stream.pause();
    stream.setRawMode(false);
  }
  if (isInterrupted) raise("SIGINT");
}

function isOver(stream: TerminalInput): boolean {
  return stream.readableEnded || stream.destroyed;
}

function readLine(stream: TerminalInput, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (isOver(stream)) return resolve(undefined);
    const chunks: Buffer[] = [];
    const stop = (): void => {
      stream.off("data", take).off("end", end).off("error", end);
      signal.removeEventListener("abort", abort);
      stream.pause();
    };
    const take = (chunk: Buffer | string): void => {
      chunks.push(Buffer.from(chunk));
      const [line, rest] = Buffer.concat(chunks).toString("utf8").split("\n");
      if (rest === undefined) return;
      stop();
      resolve(line?.replace(/\r$/, ""));
    };
    const end = (): void => {
      stop();
      resolve(undefined);
    };
    const abort = (): void => {
      stop();
      reject(signal.reason);
    };
    stream.on("data", take).on("end", end).on("error", end);
    signal.addEventListener("abort", abort, { once: true });
    stream.resume();
  });
}
