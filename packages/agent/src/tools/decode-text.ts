import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";

/** A text file as it is on disk: line ends, final newline and byte order mark untouched. */
export interface FileText {
  /** The text without its byte order mark. */
  readonly text: string;
  /** The byte order mark, or the empty text. */
  readonly mark: string;
}

const BYTE_ORDER_MARK = "\uFEFF";

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a file for a change of it. Throws `environment.binary_file` when its bytes are no UTF-8 text. */
export async function readFileText(environment: ExecutionEnvironment, path: string): Promise<FileText> {
  const bytes = await environment.readBytes(path);
  const text = decodeUtf8(bytes);
  if (text === undefined || text.includes("\0")) throw new EngineError("environment.binary_file", { path });
  return text.startsWith(BYTE_ORDER_MARK) ? { text: text.slice(1), mark: BYTE_ORDER_MARK } : { text, mark: "" };
}
