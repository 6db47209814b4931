import { messageOf } from "./message-of.ts";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  EACCES: "access is denied",
  ENOTDIR: "a part of its path is not a folder",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

/**
 * Returns why a file operation failed, in plain words. Returns the error's message if no description is known for its
 * system code.
 */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return PROBLEMS[code] ?? messageOf(error);
}
