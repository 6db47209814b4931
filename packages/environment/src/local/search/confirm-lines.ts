import type { FileHandle } from "node:fs/promises";
import type { GrepMatch } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { boundLine, withoutReturn } from "../../search/match-collector.ts";
import { createFileMarks } from "../workspace/line-index.ts";
import type { LocalWorkspace } from "../workspace/pin-path.ts";
import { openForReading } from "../workspace/read-file.ts";
import type { LineSearch } from "../workspace/read-lines.ts";
import { findLine } from "../workspace/read-lines.ts";
import { systemCodeOf } from "../workspace/to-file-error.ts";

const CHUNK_BYTES = 256 * 1024;
/** More than the characters of a line that are handed out. */
const MAX_LINE_BYTES = 4100;
const NEWLINE = 0x0a;

/**
 * The matches that are in the workspace indeed. ripgrep goes by names: a folder that is swapped for a link while it
 * runs leads it out. So each line is read again through a pinned place and left out when it is not there.
 */
export async function confirmLines(workspace: LocalWorkspace, matches: readonly GrepMatch[]): Promise<GrepMatch[]> {
  const confirmed: GrepMatch[] = [];
  const byPath = new Map<string, GrepMatch[]>();
  for (const match of matches) {
    const known = byPath.get(match.path);
    if (known === undefined) byPath.set(match.path, [match]);
    else known.push(match);
  }
  for (const [path, found] of byPath) confirmed.push(...(await confirmFile(workspace, path, found)));
  return confirmed;
}

async function confirmFile(workspace: LocalWorkspace, path: string, found: readonly GrepMatch[]): Promise<GrepMatch[]> {
  try {
    await using file = await openForReading(workspace, path);
    const [chunk, marks] = [Buffer.allocUnsafe(CHUNK_BYTES), createFileMarks()];
    const confirmed: GrepMatch[] = [];
    for (const match of found) {
      const text = await readLine(file, { chunk, marks, line: match.line });
      // ripgrep ends a last line that has no end by a carriage return of its own.
      if (text !== undefined && (text === match.text || `${text}\r` === match.text)) confirmed.push({ ...match, text });
    }
    return confirmed;
  } catch (error) {
    // Gone, or something else by now.
    if (EngineError.is(error) || systemCodeOf(error) !== undefined) return [];
    throw error;
  }
}

/** A line as ripgrep and the collector hand it out: without a byte order mark, and bounded. */
async function readLine(file: FileHandle, place: LineSearch): Promise<string | undefined> {
  const at = await findLine(file, place);
  if (at === undefined) return undefined;
  const { bytesRead } = await file.read(place.chunk, 0, MAX_LINE_BYTES, at);
  const bytes = place.chunk.subarray(0, bytesRead);
  const end = bytes.indexOf(NEWLINE);
  const text = new TextDecoder("utf-8", { ignoreBOM: at > 0 }).decode(end < 0 ? bytes : bytes.subarray(0, end));
  return boundLine(withoutReturn(text));
}
