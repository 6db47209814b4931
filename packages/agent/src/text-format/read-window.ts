import type { Buffer } from "node:buffer";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { detectFormat } from "./detect-format.ts";
import { decodeText } from "./encode-text.ts";
import { toBuffer } from "./read-text-file.ts";
import type { DetectedFormat } from "./text-format.ts";

/** Range of lines read from a file. */
export interface TextWindow {
  /** Text of the lines, including line ends. */
  readonly text: string;
  /** Note for the model that names an encoding other than UTF-8, as a separate line. Empty for UTF-8. */
  readonly note: string;
}

/** Range of lines to read. */
export interface WindowOptions {
  /** 1-based number of the first line. */
  readonly offset: number;
  /** Maximum number of lines. */
  readonly limit: number;
}

const REPLACEMENT = "\uFFFD";

function linesOf(text: string, { offset, limit }: WindowOptions): string {
  let start = 0;
  for (let line = 1; line < offset; line += 1) {
    const newline = text.indexOf("\n", start);
    if (newline === -1) return "";
    start = newline + 1;
  }
  let end = start;
  for (let line = 0; line < limit && end < text.length; line += 1) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return text.slice(start, end);
}

interface CompleteFile {
  readonly bytes: Buffer;
  readonly detected: DetectedFormat;
}

/** Reads the complete file and detects its format. `undefined` if the file is too large. */
async function readComplete(environment: ExecutionEnvironment, path: string): Promise<CompleteFile | undefined> {
  try {
    const bytes = toBuffer(await environment.readBytes(path));
    return { bytes, detected: detectFormat(bytes) };
  } catch (error) {
    if (EngineError.is(error, "environment.file_too_large")) return undefined;
    throw error;
  }
}

/** Reads the lines as UTF-8. Resolves with the error if the environment considers the file binary. */
async function readUtf8(
  environment: ExecutionEnvironment,
  path: string,
  window: WindowOptions,
): Promise<string | EngineError> {
  try {
    return await environment.readFile(path, { ...window });
  } catch (error) {
    if (EngineError.is(error, "environment.binary_file")) return error;
    throw error;
  }
}

/**
 * Reads a range of lines of a text file in the file's encoding. Reads the complete file only if it is not plain UTF-8.
 * Rejects with `environment.binary_file`. Rejects with `environment.unsupported_encoding` if the encoding is not
 * supported and UTF-8 cannot show the file either.
 */
export async function readWindow(
  environment: ExecutionEnvironment,
  path: string,
  window: WindowOptions,
): Promise<TextWindow> {
  const read = await readUtf8(environment, path, window);
  if (typeof read === "string" && !read.includes(REPLACEMENT)) return { text: read, note: "" };
  const complete = await readComplete(environment, path);
  const detected = complete?.detected;
  if (complete !== undefined && detected?.kind === "text" && detected.format.encoding !== "UTF-8") {
    const text = linesOf(decodeText(complete.bytes, detected.format), window);
    return { text, note: `\n[The file is encoded in ${detected.format.encoding}.]` };
  }
  const encoding = detected?.kind === "unsupported" ? detected.encoding : undefined;
  if (typeof read !== "string") {
    throw encoding === undefined ? read : new EngineError("environment.unsupported_encoding", { path, encoding });
  }
  const note =
    encoding === undefined
      ? ""
      : `\n[The file is in an encoding that is not supported: ${encoding}. Characters shown as ${REPLACEMENT} could not be decoded; convert the file with a command, for example iconv.]`;
  return { text: read, note };
}
