import { readSync, writeSync } from "node:fs";
import { deserialize } from "node:v8";
import { HEAD_BYTES, toFrame } from "../wire/frame.ts";

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

function attempt(act: () => number): number {
  try {
    return act();
  } catch (error) {
    if (isBusy(error)) return 0;
    throw error;
  }
}

/** Writes a value to a pipe. Returns after the kernel has accepted it. */
export function writeFrame(pipe: number, value: unknown): void {
  const frame = toFrame(value);
  for (let at = 0; at < frame.length; ) at += attempt(() => writeSync(pipe, frame, at));
}

function readBytes(pipe: number, count: number): Buffer | undefined {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    const read = readSync(pipe, bytes, at, count - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

/** Reads a value from a pipe, blocking. `undefined` if the other end is closed. */
export function readFrame<T>(pipe: number): T | undefined {
  const head = readBytes(pipe, HEAD_BYTES);
  const body = head === undefined ? undefined : readBytes(pipe, head.readUInt32LE());
  return body === undefined ? undefined : deserialize(body);
}
