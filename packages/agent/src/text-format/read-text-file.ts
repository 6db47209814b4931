import { Buffer } from "node:buffer";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { detectFormat } from "./detect-format.ts";
import type { TextFormat } from "./text-format.ts";

/** A text file before it is decoded. */
export interface TextFile {
  readonly bytes: Buffer;
  readonly format: TextFormat;
}

/** The same memory as a Buffer, which searches for bytes many times faster than other arrays. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads a file to change it. Rejects with `environment.binary_file` for a file that is not text and with
 * `environment.unsupported_encoding` for text in an encoding that cannot be written back.
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
