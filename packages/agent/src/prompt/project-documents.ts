import { Buffer } from "node:buffer";
import { posix } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { baseEnvironmentOf } from "../folder-environment/base-environment.ts";
import { readIndexFiles } from "./read-index-files.ts";

/** loop §6.5: bytes of all instruction files together. */
const DOCUMENT_BUDGET_BYTES = 32 * 1024;

/** loop §6.5. */
const TRUNCATION_MARKER = "[Project instructions truncated at 32KB]";

/** Which instruction files are looked for. */
export interface ProjectDocumentOptions {
  /** Names, in the order of loading within a folder; may lie in a folder below. */
  readonly names: readonly string[];
  /** Root of the git repository, where there is one. */
  readonly gitRoot?: string | undefined;
  /** Stops looking. */
  readonly signal?: AbortSignal | undefined;
}

interface Document {
  readonly path: string;
  readonly text: string;
}

/** The folders from the root down to the working directory. */
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

/** The longest beginning of a text that fits, cut between characters. */
function beginningOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

/** One byte beyond the budget tells that there is more. */
async function readInside(environment: ExecutionEnvironment, path: string): Promise<string | undefined> {
  try {
    const bytes = await environment.readBytes(path, { length: DOCUMENT_BUDGET_BYTES + 4 });
    return new TextDecoder("utf-8").decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads in order until there is more than the budget holds: what follows could not be shown. */
class DocumentList {
  readonly documents: Document[] = [];
  #bytes = 0;

  /** True if no further document fits. */
  get isFull(): boolean {
    return this.#bytes > DOCUMENT_BUDGET_BYTES;
  }

  add(path: string, text: string | undefined): void {
    // A file with NUL characters is no instruction, whatever its name.
    if (text === undefined || text.trim() === "" || text.includes("\0")) return;
    this.documents.push({ path, text });
    this.#bytes += Buffer.byteLength(text);
  }
}

async function collect(environment: ExecutionEnvironment, options: ProjectDocumentOptions): Promise<Document[]> {
  const { gitRoot, names, signal } = options;
  // A workspace's limits also apply to a subagent that is restricted to one of its folders.
  const workspace = baseEnvironmentOf(environment);
  const top = gitRoot ?? workspace.workingDirectory;
  const list = new DocumentList();
  const folders = foldersBetween(top, environment.workingDirectory);
  const isInside = (folder: string): boolean => isAtOrBelow(workspace.workingDirectory, folder);
  // Files above the workspace cannot be read through the environment. Git has what is committed or staged of them.
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
 * The instruction files between the git root and the working directory, root first, within the budget; the empty
 * text when there are none. Never rejects: what cannot be read is left out. loop: §6.5.
 */
export async function readProjectDocuments(
  environment: ExecutionEnvironment,
  options: ProjectDocumentOptions,
): Promise<string> {
  const documents = await collect(environment, options);
  const total = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const isCut = total > DOCUMENT_BUDGET_BYTES;
  let left = isCut ? DOCUMENT_BUDGET_BYTES - TRUNCATION_MARKER.length : DOCUMENT_BUDGET_BYTES;
  const sections: string[] = [];
  for (const { path, text } of documents) {
    const kept = beginningOf(text, left);
    left -= Buffer.byteLength(kept);
    if (kept !== "") sections.push(`## ${path}\n\n${kept.trimEnd()}`);
    if (kept.length < text.length) break;
  }
  if (isCut) sections.push(TRUNCATION_MARKER);
  return sections.join("\n\n");
}
