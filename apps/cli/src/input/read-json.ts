import { resolve } from "node:path";
import type { CommandContext } from "../context/command-context.ts";

/** Reads JSON from a file, or from standard input for `-`. Throws `input.unreadable` and `input.malformed`. */
export async function readJson(context: CommandContext, path: string): Promise<unknown> {
  const { parseJson, readText } = await import("@switchyard/runner");
  const text =
    path === "-" ? await context.stdin.readAll() : await readText(resolve(context.workingDirectory, path), path);
  return parseJson(text, path === "-" ? "standard input" : path);
}
