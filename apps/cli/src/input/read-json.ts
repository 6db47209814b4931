import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { EngineError, messageOf } from "@switchyard/contracts";
import type { World } from "../world/world.ts";
import { decodeText } from "./decode-text.ts";

/** JSON of a file, or of standard input for `-`. Throws `input.unreadable` and `input.malformed`. */
export async function readJson(world: World, path: string): Promise<unknown> {
  const text = path === "-" ? await world.stdin.readAll() : await readText(resolve(world.workingDirectory, path), path);
  const { parseJson } = await import("@switchyard/runner");
  return parseJson(text, path === "-" ? "standard input" : path);
}

/** Text of a file, named in errors as the user named it. Throws `input.unreadable` and `input.malformed`. */
export async function readText(file: string, path: string): Promise<string> {
  try {
    return decodeText(await readFile(file), path);
  } catch (error) {
    throw EngineError.is(error) ? error : unreadable(path, error);
  }
}

/** The error about a document that cannot be read. */
export function unreadable(path: string, cause: unknown): EngineError {
  return new EngineError("input.unreadable", { path, problem: fileProblem(cause) }, { cause });
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  EACCES: "access is denied",
  ENOTDIR: "a part of its path is not a folder",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

/** Why the system refused a file, in words. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return PROBLEMS[code] ?? messageOf(error);
}
