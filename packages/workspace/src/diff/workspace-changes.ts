import { open } from "node:fs/promises";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { NO_RECORD, type UndoRecord } from "./undo-record.ts";

/** Most bytes of a diff in a report. */
const MAX_DIFF_BYTES = 8 * 1024 * 1024;
const BINARY = Buffer.from("\nGIT binary patch\n");

/** What changed in a workspace. */
export interface WorkspaceChanges {
  /** Unified diff for reading: bytes that are no text are replaced, and of binary files only the names are there. */
  readonly diff: string;
  /** Whether the diff was cut because it is too long. */
  readonly isCut: boolean;
  /** File with the whole of it byte by byte, where the diff is not enough to take the changes back. */
  readonly exact?: string | undefined;
  /** What the diff cannot say: file modes, folders, branches, and what was left out. */
  readonly record: UndoRecord;
  /** File with the repository's index before the run, if what was staged has changed. */
  readonly index?: string | undefined;
}

/** Nothing changed. */
export const NO_CHANGES: WorkspaceChanges = { diff: "", isCut: false, record: NO_RECORD };

/**
 * Changes from a file with all of them; `writeReadable` writes one without contents of binary files and gives its path.
 * Throws what reading and writing throws.
 */
export async function readChanges(exact: string, writeReadable: () => Promise<string>): Promise<WorkspaceChanges> {
  const whole = await readBeginning(exact);
  const hasBinary = whole.isCut || whole.bytes.includes(BINARY);
  const { bytes, isCut } = hasBinary ? await readBeginning(await writeReadable()) : whole;
  const diff = bytes.toString("utf8");
  const isExact = !hasBinary && Buffer.from(diff).equals(bytes);
  return { diff, isCut, ...(isExact ? {} : { exact }), record: NO_RECORD };
}

/** Changes from a file in a place elsewhere, for reading. Throws what the place throws. */
export async function fetchChanges(environment: ExecutionEnvironment, path: string): Promise<WorkspaceChanges> {
  const { stdout, exitCode } = await environment.exec(["head", "-c", String(MAX_DIFF_BYTES + 1), "--", path], {
    env: { policy: "core" },
    maxOutputChars: MAX_DIFF_BYTES + 1,
  });
  if (exitCode !== 0) throw new Error("the changes cannot be read");
  const isCut = Buffer.byteLength(stdout) > MAX_DIFF_BYTES;
  return { diff: isCut ? stdout.slice(0, stdout.lastIndexOf("\n") + 1) : stdout, isCut, record: NO_RECORD };
}

/** The first bytes of a file, up to the end of a line. */
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
