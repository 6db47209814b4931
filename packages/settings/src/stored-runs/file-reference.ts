import { createHash } from "node:crypto";

/** Reference to an input file of a run, such as a configuration file. It is stored with the run. */
export interface FileReference {
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of the file's content, in hexadecimal. */
  readonly sha256: string;
}

/** Returns a reference to a file that has the given content. */
export function toFileReference(path: string, text: string): FileReference {
  return { path, sha256: createHash("sha256").update(text).digest("hex") };
}

/** Returns whether a value is a stored file reference. */
export function isFileReference(value: unknown): value is FileReference {
  if (typeof value !== "object" || value === null) return false;
  return "path" in value && typeof value.path === "string" && "sha256" in value && typeof value.sha256 === "string";
}
