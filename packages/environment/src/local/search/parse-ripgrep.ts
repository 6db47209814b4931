import type { GrepMatch } from "@switchyard/contracts";
import { withoutReturn } from "../../search/match-collector.ts";
import type { SearchRequest } from "../../search/search-request.ts";

const NUL = 0;
const NEWLINE = 0x0a;
const LINE = /^(\d+)([:-])/;
const PLACE = /^(\d+)[:-]/;
const WARNING = ": WARNING: ";
/** What ripgrep writes, without a NUL, when a file turns out to be binary behind its first matches. */
const BINARY_WARNING =
  /^.*: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\n/s;

/** Takes the output of ripgrep in chunks of any size. The handler answers false when it has enough. */
export type OutputParser = (chunk: Buffer) => boolean;

/** Reads a list of paths that end in NUL. All of a chunk are decoded together: lists are long. */
export function createPathParser(onPath: (path: string) => boolean): OutputParser {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = bytes.lastIndexOf(NUL) + 1;
    pending = Buffer.from(bytes.subarray(end));
    // Behind the last NUL is nothing.
    const paths = end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\0");
    return paths.every((path) => onPath(withoutDot(path)));
  };
}

/** A line with its place in the file in bytes, where that was asked for. */
export type PlacedMatch = GrepMatch & { readonly byte?: number | undefined };

/** Reads what a search for lines writes that tells their places. */
export function createPlacedMatchParser(onMatch: (match: PlacedMatch) => boolean): OutputParser {
  return createMatchParser("content", (match) => {
    const [prefix = "", byte] = PLACE.exec(match.text) ?? [];
    return onMatch({ ...match, text: match.text.slice(prefix.length), byte: Number(byte) });
  });
}

/** Reads what a search writes: a count for each file, or lines; in the mode `files` one line of each. */
export function createMatchParser(mode: SearchRequest["mode"], onMatch: (match: GrepMatch) => boolean): OutputParser {
  return createRecordParser([NUL, NEWLINE], ([path = Buffer.alloc(0), rest = Buffer.alloc(0)]) => {
    const text = withoutReturn(new TextDecoder("utf-8", { ignoreBOM: true }).decode(rest));
    if (mode === "count") return onMatch({ path: toPath(path), line: 0, text, isContext: false });
    const [prefix = "", line = "0", separator] = LINE.exec(text) ?? [];
    return onMatch({
      path: toPath(path),
      line: Number(line),
      text: text.slice(prefix.length),
      isContext: separator === "-",
    });
  });
}

/** Splits bytes into records of fields; each field ends in its own byte, which it does not contain. */
function createRecordParser(ends: readonly number[], onRecord: (fields: Buffer[]) => boolean): OutputParser {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let start = 0;
    for (;;) {
      const fields: Buffer[] = [];
      let from = start;
      for (const end of ends) {
        const at = bytes.indexOf(end, from);
        if (at < 0) break;
        fields.push(bytes.subarray(from, at));
        from = at + 1;
      }
      if (fields.length < ends.length) break;
      start = from;
      if (!onRecord(fields)) return false;
    }
    pending = Buffer.from(bytes.subarray(start));
    return true;
  };
}

function toPath(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const path = text.includes(WARNING) ? text.replace(BINARY_WARNING, "") : text;
  return withoutDot(path);
}

function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
