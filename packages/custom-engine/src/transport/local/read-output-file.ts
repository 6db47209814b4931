import { EngineError, type ExecutionEnvironment, messageOf } from "@switchyard/contracts";
import type { WorkspacePath } from "./workspace-file.ts";

/** Maximum size of a result file: 200 MiB of inline content in base64, plus the rest of the result. */
const MAX_FILE_BYTES = 288 * 1024 * 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;

/** Content of a result file, or the reason why the file cannot be read. */
export interface OutputFile {
  readonly text: string;
  readonly failure?: EngineError | undefined;
}

/**
 * Reads the result file. The environment checks again that the path is inside the workspace, because the engine may
 * have created links during the call. Resolves with `undefined` if the file is missing, empty or unchanged. See
 * custom-engine: local transport, workspace confinement.
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
    // Invalid UTF-8 is replaced.
    const text = await readText(path, environment);
    if (text === undefined) return tooLarge();
    return text.trim() === "" || text === original ? undefined : { text };
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    const problem = `the output file cannot be read: ${messageOf(error)}`;
    return { text: "", failure: new EngineError("result.invalid", { problem }, { cause: error }) };
  }
}

/**
 * Reads a file in chunks, because environments limit the size of one read. Resolves with `undefined` if it grew beyond
 * the limit.
 */
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
