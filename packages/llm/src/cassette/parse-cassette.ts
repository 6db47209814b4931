import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import {
  CASSETTE_FORMAT,
  CASSETTE_VERSION,
  type Cassette,
  type CassetteHeader,
  type RecordedCall,
} from "./cassette.ts";
import { readCall } from "./read-call.ts";

/** Options for parsing a cassette. */
export interface ParseCassetteOptions {
  /** Path of the cassette, for errors. */
  path?: string | undefined;
}

function readHeader(value: unknown, fail: (problem: string) => never): CassetteHeader {
  if (!isRecord(value) || value["format"] !== CASSETTE_FORMAT)
    return fail(`the header has no format ${CASSETTE_FORMAT}`);
  if (value["version"] !== CASSETTE_VERSION) return fail(`version ${String(value["version"])} is unknown`);
  const { description, handwritten, model } = value;
  if (typeof description !== "string") return fail("the header needs a description");
  const header: CassetteHeader = { format: CASSETTE_FORMAT, version: CASSETTE_VERSION, description };
  if (handwritten === true) header.handwritten = true;
  if (typeof model === "string") header.model = model;
  return header;
}

/** Parses a recording. Throws `cassette.malformed` with the line number. */
export function parseCassette(text: string, options: ParseCassetteOptions = {}): Cassette {
  const { path = "(text)" } = options;
  const calls: RecordedCall[] = [];
  let header: CassetteHeader | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const lineNumber = index + 1;
    const fail = (problem: string, cause?: unknown): never => {
      throw new EngineError(
        "cassette.malformed",
        { path, line: lineNumber, problem: `line ${lineNumber}: ${problem}` },
        { cause },
      );
    };
    const value = readJson(line, fail);
    if (header === undefined) header = readHeader(value, fail);
    else calls.push(readCall(value, calls.at(-1), { index: calls.length + 1, fail }));
  }
  if (header === undefined) throw new EngineError("cassette.malformed", { path, line: 1, problem: "it is empty" });
  return { header, calls };
}

function readJson(line: string, fail: (problem: string, cause: unknown) => never): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch (error) {
    return fail("it is not valid JSON", error);
  }
}
