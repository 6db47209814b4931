import { resolve } from "node:path";
import { EngineError, type ExecutionEnvironment, type FileContent, type ReadFileOptions } from "@switchyard/contracts";
import { wrapEnvironment } from "@switchyard/environment/wrappers";
import type { EditorFiles } from "./editor-files.ts";

/** Maximum size, in bytes, of a file on disk that is compared with its text in the editor. */
const MAX_BYTES = 8 * 1024 * 1024;
const BOM = /^\uFEFF/u;

/** Text file that a run has written. */
export interface FileEdit {
  /** Its absolute path. */
  readonly path: string;
  /** Text of the file before the run wrote it; `undefined` for a new file. */
  readonly oldText: string | undefined;
  /** Its text now. */
  readonly newText: string;
}

/** Options for `withEditorFiles`. */
export interface EditorEnvironmentOptions {
  readonly files: EditorFiles;
  /** Called for each text file that the run has written. */
  readonly onEdit: (edit: FileEdit) => void;
}

/**
 * Wraps an environment so that text files are read and written through the editor, if the editor supports it. Reads
 * then include unsaved changes. Paths are checked by the wrapped environment before the editor is asked. Binary files,
 * searches and commands use the disk. Disposing the wrapper does not close the wrapped environment.
 */
export function withEditorFiles(
  inner: ExecutionEnvironment,
  { files, onEdit }: EditorEnvironmentOptions,
): ExecutionEnvironment {
  const absolute = (path: string): string => resolve(inner.workingDirectory, path);
  /**
   * Returns the editor's text of a file with unsaved changes. `undefined` if the editor's text equals the text on disk.
   */
  async function unsavedText(path: string, saved: string | undefined): Promise<string | undefined> {
    if (files.readText === undefined || saved === undefined) return undefined;
    const text = await files.readText(absolute(path));
    return plainText(text) === plainText(saved) ? undefined : text;
  }
  /**
   * Returns the text of a file on disk. `undefined` if the file is binary, too large or not a regular file. Rejects
   * with the same errors as the environment.
   */
  async function savedText(path: string): Promise<string | undefined> {
    const { kind, size } = await inner.stat(path);
    return kind === "file" && size <= MAX_BYTES ? decode(await inner.readBytes(path)) : undefined;
  }
  async function textBefore(path: string): Promise<string | undefined> {
    const saved = await orAbsent(savedText(path));
    return (await unsavedText(path, saved)) ?? saved;
  }
  return {
    ...wrapEnvironment(inner, { suffix: "editor", keepOpen: true }),
    name: inner.name,
    async readFile(path, options) {
      const text = await unsavedText(path, await savedText(path));
      return text === undefined ? inner.readFile(path, options) : windowOf(text, options);
    },
    async readBytes(path, options) {
      const text = await unsavedText(path, await savedText(path));
      if (text === undefined) return inner.readBytes(path, options);
      const { offset = 0, length } = options ?? {};
      const bytes = new TextEncoder().encode(text);
      return bytes.slice(offset, length === undefined ? undefined : offset + length);
    },
    async writeFile(path, content) {
      const text = typeof content === "string" ? content : decode(content);
      const oldText = await textBefore(path);
      await writeThroughEditor(inner, files, { path, content, text });
      if (text !== undefined) onEdit({ path: absolute(path), oldText, newText: text });
    },
  };
}

/** Write of a file; `text` is its content as text, `undefined` for a binary file. */
interface FileWrite {
  readonly path: string;
  readonly content: FileContent;
  readonly text: string | undefined;
}

/** Writes a text file through the editor. Files that the editor cannot write are written by the environment. */
async function writeThroughEditor(
  inner: ExecutionEnvironment,
  { writeText }: EditorFiles,
  { path, content, text }: FileWrite,
): Promise<void> {
  const exists = await inner.exists(path);
  if (writeText === undefined || text === undefined) return inner.writeFile(path, content);
  // If the path exists but is not a file, the environment gets the write and rejects it.
  if (exists && (await inner.stat(path)).kind !== "file") return inner.writeFile(path, content);
  // Lets the environment create the parent folders, or reject the path.
  if (!exists) await inner.writeFile(path, "");
  try {
    await writeText(resolve(inner.workingDirectory, path), text);
  } catch (error) {
    if (!exists) await inner.remove(path);
    throw error;
  }
}

async function orAbsent(reading: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (EngineError.is(error, "environment.file_not_found")) return undefined;
    throw error;
  }
}

/** Normalises text for comparison: editors drop byte order marks and convert CRLF line endings. */
function plainText(text: string): string {
  return text.replace(BOM, "").replaceAll("\r\n", "\n");
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a range of lines including their line endings, as environments do. */
function windowOf(text: string, { offset = 1, limit }: ReadFileOptions = {}): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const first = Math.max(1, Math.floor(offset)) - 1;
  return lines.slice(first, limit === undefined ? undefined : first + Math.max(0, Math.floor(limit))).join("");
}
