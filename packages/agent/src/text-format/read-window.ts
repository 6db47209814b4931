import type { Buffer } from "node:buffer";
import { EngineError, type ExecutionEnvironment } from "@switchyard/contracts";
import { detectFormat } from "./detect-format.ts";
import { decodeText } from "./encode-text.ts";
import { toBuffer } from "./read-text-file.ts";
import type { DetectedFormat } from "./text-format.ts";

/** Lines of a file. */
export interface TextWindow {
  /** The lines with their line ends. */
  readonly text: string;
  /** Names an encoding other than UTF-8, on a line of its own; otherwise empty. */
  readonly note: string;
}

/** Lines to read. */
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

interface WholeFile {
  readonly bytes: Buffer;
  readonly detected: DetectedFormat;
}

/** The whole file with its format. `undefined` if it is too large to be read whole. */
async function readWhole(environment: ExecutionEnvironment, path: string): Promise<WholeFile | undefined> {
  try {
    const bytes = toBuffer(await environment.readBytes(path));
    return { bytes, detected: detectFormat(bytes) };
  } catch (error) {
    if (EngineError.is(error, "environment.file_too_large")) return undefined;
    throw error;
  }
}

/** Reads as UTF-8. Resolves with the error if the environment takes the file for a binary one. */
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
 * Reads lines of a text file in its own encoding. Only a file that is not plain UTF-8 is read whole. Rejects with
 * `environment.binary_file`, and with `environment.unsupported_encoding` if no character could be shown.
 */
export async function readWindow(
  environment: ExecutionEnvironment,
  path: string,
  window: WindowOptions,
): Promise<TextWindow> {
  const read = await readUtf8(environment, path, window);
  if (typeof read === "string" && !read.includes(REPLACEMENT)) return { text: read, note: "" };
  const whole = await readWhole(environment, path);
  const detected = whole?.detected;
  if (whole !== undefined && detected?.kind === "text" && detected.format.encoding !== "UTF-8") {
    const text = linesOf(decodeText(whole.bytes, detected.format), window);
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
