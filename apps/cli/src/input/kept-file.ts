import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { readText } from "./read-json.ts";

/** A file that a run began with: what is kept of it. */
export interface KeptFile {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
}

/** A file and its text. */
export interface NamedFile {
  /** What is kept of it. */
  readonly kept: KeptFile;
  /** Its content. */
  readonly text: string;
}

/** Reads a file that the user named. Throws `input.unreadable` and `input.malformed`. */
export async function readNamedFile(context: CommandContext, path: string): Promise<NamedFile> {
  const file = resolve(context.workingDirectory, path);
  const text = await readText(file, path);
  return { kept: { path: file, sha256: createHash("sha256").update(text).digest("hex") }, text };
}

/**
 * Refuses a file that is another one than the run began with: the agent may have written it, and what it names is
 * started with the user's variables. Throws `config.invalid`, with the option that names it again. architecture: decision 20.
 */
export function assertUnchanged(found: KeptFile, kept: KeptFile, option: string): void {
  if (found.sha256 === kept.sha256) return;
  const problem = `${kept.path} has changed since the run began; look at it and name it again`;
  throw new EngineError("config.invalid", { field: option, problem });
}

/** Whether a value is what was kept of a file. */
export function isKeptFile(value: unknown): value is KeptFile {
  if (typeof value !== "object" || value === null) return false;
  return "path" in value && typeof value.path === "string" && "sha256" in value && typeof value.sha256 === "string";
}
