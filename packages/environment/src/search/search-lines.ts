import type { GrepMatch } from "@switchyard/contracts";
import type { LineMatcher } from "./line-matcher.ts";
import type { NumberedLine } from "./read-numbered-lines.ts";
import { readNumberedLines } from "./read-numbered-lines.ts";
import type { SearchRequest } from "./search-request.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/** Parameters of a line search. `onMatch` handles a match and returns false when no more matches are needed. */
export interface LineSearch {
  readonly request: SearchRequest;
  readonly matcher: LineMatcher;
  readonly onMatch: (match: GrepMatch) => boolean;
  readonly turns: TimeSlicer;
}

/** Content of a file to search, and the path to report with its matches. */
export interface SearchedFile {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Searches one file line by line, up to its first NUL. Resolves with false when no more results are needed. */
export async function searchLines({ path, content }: SearchedFile, search: LineSearch): Promise<boolean> {
  const { request, matcher, onMatch, turns } = search;
  if (request.mode === "content") return searchContent({ path, content }, search);
  let count = 0;
  for await (const lines of readNumberedLines(content)) {
    for (const { text } of lines) {
      if (turns.isOver()) await turns.next();
      if (matcher(text)) count += 1;
      if (count > 0 && request.mode === "files") break;
    }
    if (count > 0 && request.mode === "files") break;
  }
  if (count === 0) return true;
  return onMatch({ path, line: 0, text: request.mode === "count" ? String(count) : "", isContext: false });
}

async function searchContent({ path, content }: SearchedFile, search: LineSearch): Promise<boolean> {
  const { request, matcher, onMatch, turns } = search;
  const before: NumberedLine[] = [];
  let contextUntil = 0;
  for await (const lines of readNumberedLines(content)) {
    for (const line of lines) {
      if (turns.isOver()) await turns.next();
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
  }
  return true;
}
