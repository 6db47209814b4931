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
  /** Kind of change. */
  readonly type: "add" | "delete" | "update" | "move";
  /** Path of the file. The new path if the file was moved. */
  readonly path: string;
  /** Previous path. `undefined` unless the file was moved. */
  readonly from?: string | undefined;
  /** True if a file was added at, or moved to, a path where a file already existed. That file was overwritten. */
  readonly replaced?: true | undefined;
}

async function assertFile(environment: ExecutionEnvironment, path: string): Promise<void> {
  const { kind } = await environment.stat(path);
  if (kind !== "file") throw new EngineError("environment.not_a_file", { path, found: kind });
}

/** Returns whether a path itself is a symbolic link, regardless of its target. */
async function isLink(environment: ExecutionEnvironment, path: string): Promise<boolean> {
  const entries = await environment.listDirectory(posix.dirname(path)).catch(() => []);
  const name = posix.basename(path);
  return entries.some((entry) => entry.name === name && entry.kind === "symlink");
}

/**
 * Returns `replaced: true` if a file or link exists at the path. The patch format allows an operation to overwrite it.
 */
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
    // A symbolic link is removed, not followed: its target may be missing or outside the workspace.
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
  /** New content of the file. `undefined` if the content does not change. */
  readonly content: FileContent | undefined;
}

async function move(environment: ExecutionEnvironment, { path, moveTo, content }: Move): Promise<void> {
  if (content !== undefined && (await isLink(environment, path))) {
    await moveFromLink(environment, { path, moveTo, content });
    return;
  }
  // Renaming preserves the file's mode. It is also safe when the new path is a link to the same file.
  await environment.rename(path, moveTo);
  try {
    if (content !== undefined) await environment.writeFile(moveTo, content);
  } catch (error) {
    await environment.rename(moveTo, path);
    throw error;
  }
}

/**
 * Moves a patched file whose path is a symbolic link. The new path gets a regular file, because a moved relative link
 * may point to an unrelated file.
 */
async function moveFromLink(
  environment: ExecutionEnvironment,
  { path, moveTo, content }: Move & { readonly content: FileContent },
): Promise<void> {
  const temporaryPath = `${moveTo}.${randomUUID()}`;
  await environment.writeFile(temporaryPath, content);
  try {
    await environment.rename(path, moveTo);
    await environment.rename(temporaryPath, moveTo);
  } catch (error) {
    await environment.remove(temporaryPath);
    throw error;
  }
}

/** Returns the patched content. Decodes the file only if the hunks cannot be located in its raw bytes. */
async function patchedContent({ path, hunks }: UpdateFile, environment: ExecutionEnvironment): Promise<FileContent> {
  const { bytes, format } = await readTextFile(environment, path);
  const patched = format.encoding === "UTF-8" ? patchBytes(bytes, hunks) : undefined;
  return patched ?? encodeText(applyHunks(decodeText(bytes, format), hunks, path), format, path);
}

function isSamePath({ workingDirectory }: ExecutionEnvironment, path: string, other: string): boolean {
  return posix.resolve(workingDirectory, path) === posix.resolve(workingDirectory, other);
}

/**
 * Applies one operation. The file is changed completely or not at all. Rejects with a `patch.*` or `environment.*`
 * error.
 */
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
