import { open } from "node:fs/promises";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { NO_RECORD, type UndoRecord } from "./undo-record.ts";

/** Maximum size of a diff in a report, in bytes. A larger diff is truncated. */
export const MAX_DIFF_BYTES: number = 8 * 1024 * 1024;
const BINARY = Buffer.from("\nGIT binary patch\n");

/** Changes in a workspace. */
export interface WorkspaceChanges {
  /** Unified diff for human readers. Binary files are only named, without their contents. */
  readonly diff: string;
  /** True if the diff was truncated. */
  readonly isCut: boolean;
  /** Path of a file with the exact diff. Present if the readable diff is not sufficient to revert the changes. */
  readonly exact?: string | undefined;
  /** Changes that the diff does not contain: file modes, folders, branches, and omitted files. */
  readonly record: UndoRecord;
  /** Path of a copy of the git index from before the run. Present if the staged changes differ. */
  readonly index?: string | undefined;
}

/** Result without changes. */
export const NO_CHANGES: WorkspaceChanges = { diff: "", isCut: false, record: NO_RECORD };

/**
 * Reads changes from a file with the exact diff. `writeReadable` writes a diff without binary contents and returns its
 * path. Throws read and write errors.
 */
export async function readChanges(exact: string, writeReadable: () => Promise<string>): Promise<WorkspaceChanges> {
  const content = await readBeginning(exact);
  const hasBinary = content.isCut || content.bytes.includes(BINARY);
  const { bytes, isCut } = hasBinary ? await readBeginning(await writeReadable()) : content;
  const diff = bytes.toString("utf8");
  const isExact = !hasBinary && Buffer.from(diff).equals(bytes);
  return { diff, isCut, ...(isExact ? {} : { exact }), record: NO_RECORD };
}

/**
 * Converts the text of a diff to a report of changes. A text longer than `MAX_DIFF_BYTES` is truncated after its last
 * complete line. To detect a longer diff, callers need to pass only its first `MAX_DIFF_BYTES` + 1 bytes.
 */
export function toReadable(diff: string): WorkspaceChanges {
  const isCut = Buffer.byteLength(diff) > MAX_DIFF_BYTES;
  return { ...NO_CHANGES, diff: isCut ? diff.slice(0, diff.lastIndexOf("\n") + 1) : diff, isCut };
}

/**
 * Reads the first `MAX_DIFF_BYTES` + 1 bytes of a diff from a file in a remote environment. Throws the environment's
 * errors.
 */
export async function readRemote(environment: ExecutionEnvironment, path: string): Promise<string> {
  const { stdout, exitCode } = await environment.exec(["head", "-c", String(MAX_DIFF_BYTES + 1), "--", path], {
    env: { policy: "core" },
    maxOutputChars: MAX_DIFF_BYTES + 1,
  });
  if (exitCode !== 0) throw new Error("the changes cannot be read");
  return stdout;
}

/**
 * Reads the first `MAX_DIFF_BYTES` bytes of a file. If the file is larger, the result ends after the last complete
 * line.
 */
async function readBeginning(path: string): Promise<{ bytes: Buffer; isCut: boolean }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, MAX_DIFF_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const isCut = size > MAX_DIFF_BYTES;
    return { bytes: isCut ? bytes.subarray(0, bytes.lastIndexOf("\n") + 1) : bytes, isCut };
  } finally {
    await file.close();
  }
}
