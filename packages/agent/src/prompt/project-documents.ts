import { Buffer } from "node:buffer";
import { posix } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";
import { readIndexFiles } from "./read-index-files.ts";

/** Maximum total size of instruction files, in bytes. See loop: §6.5. */
const DOCUMENT_BUDGET_BYTES = 32 * 1024;

/** Note after truncated instruction files. See loop: §6.5. */
const TRUNCATION_MARKER = "[Project instructions truncated at 32KB]";

/** Options for `readProjectDocuments`. */
export interface ProjectDocumentOptions {
  /** File names, in loading order within a folder. A name may include a subfolder. */
  readonly names: readonly string[];
  /** Root of the git repository. `undefined` outside a repository. */
  readonly gitRoot?: string | undefined;
  /** Signal that stops reading when aborted. */
  readonly signal?: AbortSignal | undefined;
}

interface Document {
  readonly path: string;
  readonly text: string;
}

/** Returns the folders from the root down to the working directory. */
function foldersBetween(root: string, workingDirectory: string): string[] {
  const relative = posix.relative(root, workingDirectory);
  if (relative === "" || relative.startsWith("..") || posix.isAbsolute(relative)) return [workingDirectory];
  const folders = [root];
  for (const segment of relative.split("/")) folders.push(posix.join(folders.at(-1) ?? root, segment));
  return folders;
}

function isAtOrBelow(folder: string, path: string): boolean {
  const relative = posix.relative(folder, path);
  return relative !== ".." && !relative.startsWith("../");
}

/** Returns the longest prefix of a text with at most `maxBytes` bytes, without splitting a character. */
function beginningOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

/** Reads slightly more than the size limit, to detect longer files. `undefined` if the file cannot be read. */
async function readInside(environment: ExecutionEnvironment, path: string): Promise<string | undefined> {
  try {
    const bytes = await environment.readBytes(path, { length: DOCUMENT_BUDGET_BYTES + 4 });
    return new TextDecoder("utf-8").decode(bytes);
  } catch {
    return undefined;
  }
}

/** Collects instruction files up to the total size limit. */
class DocumentList {
  readonly documents: Document[] = [];
  #bytes = 0;

  /** True if the size limit is exceeded. */
  get isFull(): boolean {
    return this.#bytes > DOCUMENT_BUDGET_BYTES;
  }

  add(path: string, text: string | undefined): void {
    // A file with NUL characters is binary.
    if (text === undefined || text.trim() === "" || text.includes("\0")) return;
    this.documents.push({ path, text });
    this.#bytes += Buffer.byteLength(text);
  }
}

async function collect(environment: ExecutionEnvironment, options: ProjectDocumentOptions): Promise<Document[]> {
  const { gitRoot, names, signal } = options;
  // A subagent that is restricted to a folder may still read files up to the root of the workspace.
  const workspace = baseEnvironmentOf(environment);
  const top = gitRoot ?? workspace.workingDirectory;
  const list = new DocumentList();
  const folders = foldersBetween(top, environment.workingDirectory);
  const isInside = (folder: string): boolean => isAtOrBelow(workspace.workingDirectory, folder);
  // The environment cannot read files in folders above the workspace.
  // Git can read files above the workspace if they are committed or staged.
  const above = folders
    .filter((folder) => !isInside(folder))
    .flatMap((folder) => names.map((name) => posix.relative(top, posix.join(folder, name))));
  const index = { folder: top, maxBytes: DOCUMENT_BUDGET_BYTES, signal };
  for await (const { path, text } of readIndexFiles(environment, above, index)) {
    list.add(posix.join(top, path), text);
    if (list.isFull) return list.documents;
  }
  for (const path of folders.filter(isInside).flatMap((folder) => names.map((name) => posix.join(folder, name)))) {
    list.add(path, await readInside(workspace, path));
    if (list.isFull) break;
  }
  return list.documents;
}

/**
 * Reads the instruction files from the git root down to the working directory, up to the size limit. Empty if there are
 * none. Never rejects: unreadable files are skipped. See loop: §6.5.
 */
export async function readProjectDocuments(
  environment: ExecutionEnvironment,
  options: ProjectDocumentOptions,
): Promise<string> {
  const documents = await collect(environment, options);
  const total = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const isCut = total > DOCUMENT_BUDGET_BYTES;
  let remaining = isCut ? DOCUMENT_BUDGET_BYTES - TRUNCATION_MARKER.length : DOCUMENT_BUDGET_BYTES;
  const sections: string[] = [];
  for (const { path, text } of documents) {
    const beginning = beginningOf(text, remaining);
    remaining -= Buffer.byteLength(beginning);
    if (beginning !== "") sections.push(`## ${path}\n\n${beginning.trimEnd()}`);
    if (beginning.length < text.length) break;
  }
  if (isCut) sections.push(TRUNCATION_MARKER);
  return sections.join("\n\n");
}
