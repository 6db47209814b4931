import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";

/** Reads JSON from a file, or from standard input for `-`. Throws `input.unreadable` and `input.malformed`. */
export async function readJson(context: CommandContext, path: string): Promise<unknown> {
  const text =
    path === "-" ? await context.stdin.readAll() : await readText(resolve(context.workingDirectory, path), path);
  const { parseJson } = await import("@switchyard/runner");
  return parseJson(text, path === "-" ? "standard input" : path);
}

/** Reads text from a file. Errors name the file as `path`. Throws `input.unreadable` and `input.malformed`. */
export async function readText(file: string, path: string): Promise<string> {
  try {
    return decodeText(await readFile(file), path);
  } catch (error) {
    throw EngineError.is(error) ? error : unreadable(path, error);
  }
}

/** Creates the error for a document that cannot be read. */
export function unreadable(path: string, cause: unknown): EngineError {
  return new EngineError("input.unreadable", { path, problem: fileProblem(cause) }, { cause });
}
