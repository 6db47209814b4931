import { Buffer } from "node:buffer";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { detectFormat } from "./detect-format.ts";
import type { TextFormat } from "./text-format.ts";

/** Raw content of a text file, and its format. */
export interface TextFile {
  readonly bytes: Buffer;
  readonly format: TextFormat;
}

/**
 * Returns a `Buffer` that shares the memory of the bytes. Searching a `Buffer` is many times faster than searching a
 * `Uint8Array`.
 */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads a text file for editing. Rejects with `environment.binary_file` if it is not text. Rejects with
 * `environment.unsupported_encoding` if its encoding cannot be written back.
 */
export async function readTextFile(environment: ExecutionEnvironment, path: string): Promise<TextFile> {
  const bytes = toBuffer(await environment.readBytes(path));
  const detected = detectFormat(bytes);
  switch (detected.kind) {
    case "text":
      return { bytes, format: detected.format };
    case "unsupported":
      throw new EngineError("environment.unsupported_encoding", { path, encoding: detected.encoding });
    case "binary":
      throw new EngineError("environment.binary_file", { path });
  }
}
