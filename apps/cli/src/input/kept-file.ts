import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { readText } from "./read-json.ts";

/** Stored reference to a file that a run started with. */
export interface KeptFile {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
}

/** File that the user named, with its text. */
export interface NamedFile {
  /** Stored reference to the file. */
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
 * Rejects a file that changed since the run started: the agent may have written it, and the commands in it run with the
 * user's environment variables. Throws `config.invalid` with the option that accepts the changed file. architecture:
 * decision 20.
 */
export function assertUnchanged(found: KeptFile, kept: KeptFile, option: string): void {
  if (found.sha256 === kept.sha256) return;
  const problem = `${kept.path} has changed since the run started; review it and name it again`;
  throw new EngineError("config.invalid", { field: option, problem });
}

/** Returns whether a value is a stored file reference. */
export function isKeptFile(value: unknown): value is KeptFile {
  if (typeof value !== "object" || value === null) return false;
  return "path" in value && typeof value.path === "string" && "sha256" in value && typeof value.sha256 === "string";
}
