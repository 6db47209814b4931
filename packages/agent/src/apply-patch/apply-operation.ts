import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { EngineError, type ExecutionEnvironment, type FileContent } from "@switchyard/contracts";
import { decodeText, encodeText } from "../text-format/encode-text.ts";
import { preserveFormat } from "../text-format/preserve-format.ts";
import { readTextFile } from "../text-format/read-text-file.ts";
import { applyHunks } from "./apply-hunks.ts";
import type { AddFile, DeleteFile, PatchOperation, UpdateFile } from "./patch.ts";
import { patchBytes } from "./patch-bytes.ts";

/** One file that a patch changed. */
export interface AppliedOperation {
  /** What was done. */
  readonly type: "add" | "delete" | "update" | "move";
  /** Path of the file; the new one when it was moved. */
  readonly path: string;
  /** Path it was moved from. */
  readonly from?: string | undefined;
  /** True if an existing file was overwritten: an added file, or the destination of a move. */
  readonly replaced?: true | undefined;
}

async function assertFile(environment: ExecutionEnvironment, path: string): Promise<void> {
  const { kind } = await environment.stat(path);
  if (kind !== "file") throw new EngineError("environment.not_a_file", { path, found: kind });
}

/** Whether a path is a link itself, wherever it leads. */
async function isLink(environment: ExecutionEnvironment, path: string): Promise<boolean> {
  const entries = await environment.listDirectory(posix.dirname(path)).catch(() => []);
  const name = posix.basename(path);
  return entries.some((entry) => entry.name === name && entry.kind === "symlink");
}

/** Reports that an operation overwrites a file, which the format allows. Empty if nothing is at the path. */
async function replacementAt(environment: ExecutionEnvironment, path: string): Promise<{ replaced?: true }> {
  return (await environment.exists(path)) || (await isLink(environment, path)) ? { replaced: true } : {};
}

async function add(operation: AddFile, environment: ExecutionEnvironment): Promise<AppliedOperation> {
  const { path, lines } = operation;
  const replacement = await replacementAt(environment, path);
  const { content } = await preserveFormat(environment, path, lines.map((line) => `${line}\n`).join(""));
  await environment.writeFile(path, content);
  return { type: "add", path, ...replacement };
}

async function remove({ path }: DeleteFile, environment: ExecutionEnvironment): Promise<AppliedOperation> {
  try {
    await assertFile(environment, path);
  } catch (error) {
    // A link is removed, not followed: it may lead nowhere, or out of the workspace.
    if (!(await isLink(environment, path))) throw error;
  }
  await environment.remove(path);
  return { type: "delete", path };
}

async function update(operation: UpdateFile, environment: ExecutionEnvironment): Promise<AppliedOperation> {
  const { path, moveTo, hunks } = operation;
  await assertFile(environment, path);
  const content = hunks.length === 0 ? undefined : await patchedContent(operation, environment);
  if (moveTo === undefined || isSamePath(environment, path, moveTo)) {
    if (content !== undefined) await environment.writeFile(path, content);
    return { type: "update", path };
  }
  const replacement = await replacementAt(environment, moveTo);
  await move(environment, { path, moveTo, content });
  return { type: "move", path: moveTo, from: path, ...replacement };
}

interface Move {
  readonly path: string;
  readonly moveTo: string;
  /** What the file holds afterwards; nothing where that stays. */
  readonly content: FileContent | undefined;
}

async function move(environment: ExecutionEnvironment, { path, moveTo, content }: Move): Promise<void> {
  if (content !== undefined && (await isLink(environment, path))) {
    await moveFromLink(environment, { path, moveTo, content });
    return;
  }
  // The file itself moves, so its mode comes along, and a new path that leads to the same file loses nothing.
  await environment.rename(path, moveTo);
  try {
    if (content !== undefined) await environment.writeFile(moveTo, content);
  } catch (error) {
    await environment.rename(moveTo, path);
    throw error;
  }
}

/** A link at another place may lead to a file that nobody named: the new path gets a file of its own. */
async function moveFromLink(
  environment: ExecutionEnvironment,
  { path, moveTo, content }: Move & { readonly content: FileContent },
): Promise<void> {
  const beside = `${moveTo}.${randomUUID()}`;
  await environment.writeFile(beside, content);
  try {
    await environment.rename(path, moveTo);
    await environment.rename(beside, moveTo);
  } catch (error) {
    await environment.remove(beside);
    throw error;
  }
}

/** The new content; a file is decoded only where the hunks cannot be found in its bytes. */
async function patchedContent({ path, hunks }: UpdateFile, environment: ExecutionEnvironment): Promise<FileContent> {
  const { bytes, format } = await readTextFile(environment, path);
  const patched = format.encoding === "UTF-8" ? patchBytes(bytes, hunks) : undefined;
  return patched ?? encodeText(applyHunks(decodeText(bytes, format), hunks, path), format, path);
}

function isSamePath({ workingDirectory }: ExecutionEnvironment, path: string, other: string): boolean {
  return posix.resolve(workingDirectory, path) === posix.resolve(workingDirectory, other);
}

/** Carries out one operation; the file is changed as a whole or not at all. Rejects with `patch.*` or `environment.*`. */
export async function applyOperation(
  operation: PatchOperation,
  environment: ExecutionEnvironment,
): Promise<AppliedOperation> {
  switch (operation.type) {
    case "add":
      return add(operation, environment);
    case "delete":
      return remove(operation, environment);
    case "update":
      return update(operation, environment);
  }
}
