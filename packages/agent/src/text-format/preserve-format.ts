import { Buffer } from "node:buffer";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { lineEndOf, withLineEnds } from "../edit-file/line-end.ts";
import { detectFormat } from "./detect-format.ts";
import { decodeText, encodeText } from "./encode-text.ts";
import { toBuffer } from "./read-text-file.ts";

/** New content of a file, encoded like the existing file. */
export interface PreservedFormat {
  /** Encoded bytes to write. */
  readonly content: Buffer;
  /**
   * Names of the preserved properties, such as the encoding, for the tool's output. Empty for a new file and for plain
   * UTF-8 with LF.
   */
  readonly preserved: readonly string[];
}

async function readExisting(environment: ExecutionEnvironment, path: string): Promise<Buffer | undefined> {
  try {
    return toBuffer(await environment.readBytes(path, { isProbe: true }));
  } catch {
    // Read errors are ignored, because the following write reports a missing, too large or unreadable file.
    return undefined;
  }
}

/**
 * Encodes new content of a file with the encoding, byte order mark and line ends of the existing file. Text that
 * already contains CRLF line ends is not converted. Rejects with `edit.character_not_in_encoding`. Rejects with
 * `environment.unsupported_encoding` if the file has an encoding that cannot be written.
 */
export async function preserveFormat(
  environment: ExecutionEnvironment,
  path: string,
  text: string,
): Promise<PreservedFormat> {
  const existing = await readExisting(environment, path);
  const detected = existing === undefined ? undefined : detectFormat(existing);
  if (detected?.kind === "unsupported") {
    throw new EngineError("environment.unsupported_encoding", { path, encoding: detected.encoding });
  }
  if (existing === undefined || detected?.kind !== "text") return { content: Buffer.from(text), preserved: [] };
  const { format } = detected;
  const preserved = format.encoding === "UTF-8" ? [] : [`the encoding ${format.encoding}`];
  if (format.hasMark) preserved.push("the byte order mark");
  const isCrlf = lineEndOf(decodeText(existing, format)) === "\r\n" && !text.includes("\r\n") && text.includes("\n");
  if (isCrlf) preserved.push("CRLF line ends");
  return { content: encodeText(isCrlf ? withLineEnds(text, "\r\n") : text, format, path), preserved };
}
