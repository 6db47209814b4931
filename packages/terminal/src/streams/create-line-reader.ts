import { setTimeout as delay } from "node:timers/promises";
import type { TerminalStream, TextInput } from "./terminal.ts";

/**
 * Time for which input is read and discarded before a question, in milliseconds. Removes what the user typed before the
 * question was shown.
 */
const DRAIN_MS = 20;
/** Byte that a terminal delivers for Ctrl-C in raw mode instead of a signal. */
const INTERRUPT = 0x03;

/**
 * Creates a reader of lines. It reads the input only while a line is requested, because the shell stops a background
 * command that reads from the terminal. In raw mode, it calls `raise` when the user presses Ctrl-C.
 */
export function createLineReader(
  stream: () => TerminalStream,
  raise: (signal: "SIGINT") => void,
): Pick<TextInput, "dropTyped" | "readLine"> {
  return {
    dropTyped: () => dropTyped(stream(), raise),
    readLine: (signal) => readLine(stream(), signal),
  };
}

async function dropTyped(stream: TerminalStream, raise: (signal: "SIGINT") => void): Promise<void> {
  if (stream.isTTY !== true || isOver(stream)) return;
  let isInterrupted = false;
  const drop = (chunk: Buffer | string): void => {
    isInterrupted ||= Buffer.from(chunk).includes(INTERRUPT);
  };
  // Raw mode, in which the terminal also delivers a line without Enter, so that the line can be discarded. Otherwise it
  // would become the beginning of the answer.
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

function isOver(stream: TerminalStream): boolean {
  return stream.readableEnded || stream.destroyed;
}

function readLine(stream: TerminalStream, signal: AbortSignal): Promise<string | undefined> {
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
