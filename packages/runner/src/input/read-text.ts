import { readFile } from "node:fs/promises";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";

/** Reads an input file as UTF-8. Errors name the file as `path`. Rejects with `input.unreadable` and `input.malformed`. */
export async function readText(file: string, path: string): Promise<string> {
  try {
    return decodeText(await readFile(file), path);
  } catch (error) {
    if (EngineError.is(error)) throw error;
    throw new EngineError("input.unreadable", { path, problem: fileProblem(error) }, { cause: error });
  }
}
