import type { FileHandle } from "node:fs/promises";
import type { GrepMatch } from "@switchyard/contracts";
import type { LineMatcher } from "../../search/line-matcher.ts";
import type { SearchRequest } from "./ripgrep-arguments.ts";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
/** The rest of a longer line is not looked at. */
const MAX_LINE_BYTES = 1024 * 1024;

/** What a file is searched for and who is told; the handler answers false when it has enough. */
export interface FileSearch {
  readonly path: string;
  readonly request: SearchRequest;
  readonly matcher: LineMatcher;
  readonly onMatch: (match: GrepMatch) => boolean;
}

/** Searches one file line by line, up to its first NUL; false when no more is wanted. */
export async function searchFile(file: FileHandle, search: FileSearch): Promise<boolean> {
  const { path, request, matcher, onMatch } = search;
  if (request.mode === "content") return searchContent(file, search);
  let count = 0;
  for await (const { text } of readNumberedLines(file)) {
    if (!matcher(text)) continue;
    count += 1;
    if (request.mode === "files") break;
  }
  if (count === 0) return true;
  return onMatch({ path, line: 0, text: request.mode === "count" ? String(count) : "", isContext: false });
}

async function searchContent(file: FileHandle, { path, request, matcher, onMatch }: FileSearch): Promise<boolean> {
  const before: NumberedLine[] = [];
  let contextUntil = 0;
  for await (const line of readNumberedLines(file)) {
    const isMatch = matcher(line.text);
    if (isMatch) {
      for (const { number, text } of before.splice(0)) {
        if (!onMatch({ path, line: number, text, isContext: true })) return false;
      }
      contextUntil = line.number + request.contextLines;
    }
    if (isMatch || line.number <= contextUntil) {
      if (!onMatch({ path, line: line.number, text: line.text, isContext: !isMatch })) return false;
    } else if (request.contextLines > 0) {
      before.push(line);
      if (before.length > request.contextLines) before.shift();
    }
  }
  return true;
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

async function* readNumberedLines(file: FileHandle): AsyncGenerator<NumberedLine> {
  let number = 0;
  let pending: Buffer = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    const nulAt = chunk.subarray(0, bytesRead).indexOf(0);
    if (nulAt >= 0 && position === 0) return;
    const filled = chunk.subarray(0, nulAt < 0 ? bytesRead : nulAt);
    position += bytesRead;
    let start = 0;
    for (let at = filled.indexOf(NEWLINE); at >= 0; at = filled.indexOf(NEWLINE, start)) {
      number += 1;
      yield { number, text: toLine(Buffer.concat([pending, filled.subarray(start, at)]), number) };
      pending = Buffer.alloc(0);
      start = at + 1;
    }
    if (nulAt >= 0) return;
    if (pending.length < MAX_LINE_BYTES) pending = Buffer.concat([pending, filled.subarray(start)]);
    if (bytesRead > 0) continue;
    if (pending.length > 0) yield { number: number + 1, text: toLine(pending, number + 1) };
    return;
  }
}

/** Like ripgrep without the byte order mark, which would keep `^` from matching. */
function toLine(bytes: Buffer, number: number): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: number > 1 }).decode(bytes);
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
