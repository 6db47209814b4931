import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/** A text file as it is on disk: line ends, final newline and byte order mark untouched. */
export interface FileText {
  /** The text without its byte order mark. */
  readonly text: string;
  /** The byte order mark, or the empty text. */
  readonly mark: string;
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Reads a file for a change of it. Throws `environment.binary_file` when its bytes are no UTF-8 text. */
export async function readTextBytes(environment: ExecutionEnvironment, path: string): Promise<Buffer> {
  const read = await environment.readBytes(path);
  // A Buffer looks for a byte many times faster than other arrays do.
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  if (!isUtf8(bytes) || bytes.includes(0)) throw new EngineError("environment.binary_file", { path });
  return bytes;
}

/** Text of what `readTextBytes` gave. */
export function toFileText(bytes: Buffer): FileText {
  // As one byte a character it is copied and not decoded.
  if (isAscii(bytes)) return { text: bytes.toString("latin1"), mark: "" };
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text.startsWith(BYTE_ORDER_MARK) ? { text: text.slice(1), mark: BYTE_ORDER_MARK } : { text, mark: "" };
}
