import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { WorkspacePath } from "./workspace-file.ts";

/** Most bytes of a result file: inline contents of 200 MB as base64, and what is round them. */
const MAX_FILE_BYTES = 288 * 1024 * 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;

/** What a result file holds, or why it cannot be read. */
export interface OutputFile {
  readonly text: string;
  readonly failure?: EngineError | undefined;
}

/**
 * Reads the result file, confined anew: the engine may have put links in its way meanwhile. Nothing where it is
 * missing, empty, or still the text that it began with. custom-engine: local transport, workspace confinement.
 */
export async function readOutputFile(
  { path }: WorkspacePath,
  environment: ExecutionEnvironment,
  original: string | undefined,
): Promise<OutputFile | undefined> {
  try {
    const { kind, size } = await environment.stat(path);
    if (kind !== "file") throw new EngineError("environment.not_a_file", { path, found: kind });
    if (size > MAX_FILE_BYTES) return tooLarge();
    // What is no UTF-8 is replaced, as it is in what a command prints.
    const text = await readText(path, environment);
    if (text === undefined) return tooLarge();
    return text.trim() === "" || text === original ? undefined : { text };
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    const problem = `the output file cannot be read: ${messageOf(error)}`;
    return { text: "", failure: new EngineError("result.invalid", { problem }, { cause: error }) };
  }
}

/** The text of a file, in windows, as places give no more than some at a time. Nothing where it grew beyond the limit. */
async function readText(path: string, environment: ExecutionEnvironment): Promise<string | undefined> {
  const decoder = new TextDecoder("utf-8");
  let text = "";
  for (let offset = 0; offset <= MAX_FILE_BYTES; ) {
    const bytes = await environment.readBytes(path, { offset, length: WINDOW_BYTES });
    if (bytes.length < WINDOW_BYTES) return text + decoder.decode(bytes);
    offset += bytes.length;
    text += decoder.decode(bytes, { stream: true });
  }
  return undefined;
}

function tooLarge(): OutputFile {
  return { text: "", failure: new EngineError("transport.response_too_large", { maxBytes: MAX_FILE_BYTES }) };
}
