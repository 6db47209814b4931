import { appendFile, readFile, rm, stat } from "node:fs/promises";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";
import { parseDocument } from "../json/parse-document.ts";
import type { FanOutRecord, FanOutRun } from "./fan-out-run.ts";
import { parseFanOutRecords } from "./parse-fan-out-records.ts";

/**
 * File that stores a fan-out run. New task records are appended to a journal, a second file next to it, until the whole
 * run is saved again.
 */
export interface FanOutFile {
  /** Task records that an earlier process stored. Empty if the file is new. */
  readonly records: readonly FanOutRecord[];
  /** Replaces the content of the file with the complete run. */
  save(run: FanOutRun): Promise<void>;
  /** Appends a task record to the journal. `undefined` if the output is a device or a pipe. */
  readonly storeRecord?: ((record: FanOutRecord) => Promise<void>) | undefined;
}

/** Options for `openFanOutFile`. */
export interface FanOutFileOptions {
  /** Writes a value to the file as JSON and replaces the earlier content atomically. */
  readonly write: (path: string, value: unknown) => Promise<void>;
}

/**
 * Opens the file that stores a fan-out run. Rejects with `input.*` if the existing file is unreadable or does not
 * contain a fan-out run. `save` and `storeRecord` reject with `output.unwritable`.
 */
export async function openFanOutFile(file: string, { write }: FanOutFileOptions): Promise<FanOutFile> {
  const journal = `${file}.journal`;
  const saved = await readSaved(file);
  // A journal without its run file cannot be interpreted, so it is ignored.
  const records = saved === undefined ? [] : [...saved, ...(await readJournal(journal, file))];
  let isBegun = false;
  return {
    records,
    save: async (run) => {
      await write(file, run);
      // The first save contains all records of the journal, so the journal can be removed.
      // A later save may miss records that are appended meanwhile, so the journal stays until the run has ended.
      if (!isBegun || run.status !== "incomplete") await rm(journal, { force: true });
      isBegun = true;
    },
    ...((await isFile(file)) ? { storeRecord: (record) => append(journal, record) } : {}),
  };
}

/** Returns whether a path is a regular file or does not exist yet. */
async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
}

async function append(journal: string, record: FanOutRecord): Promise<void> {
  try {
    await appendFile(journal, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new EngineError("output.unwritable", { path: journal, problem: fileProblem(cause) }, { cause });
  }
}

async function readSaved(file: string): Promise<readonly FanOutRecord[] | undefined> {
  const bytes = await readFile(file).catch((cause: unknown) => ifMissing(file, cause));
  if (bytes === undefined) return undefined;
  const parsed = parseDocument(decodeText(bytes, file));
  if (parsed.kind === "parsed") return parseFanOutRecords(parsed.value, file);
  const { line, column, problem } = parsed;
  throw new EngineError("input.malformed", { path: file, line, column, problem });
}

/** Reads a file. Returns `undefined` if it does not exist. Throws `input.unreadable` if it cannot be read. */
function ifMissing(path: string, cause: unknown): undefined {
  const problem = fileProblem(cause);
  if (problem === "it does not exist") return undefined;
  throw new EngineError("input.unreadable", { path, problem }, { cause });
}

/**
 * Reads the complete lines of the journal. If a crash truncated the last line, the task of that line is executed again.
 */
async function readJournal(journal: string, file: string): Promise<readonly FanOutRecord[]> {
  const text = (await readFile(journal, "utf8").catch((cause: unknown) => ifMissing(journal, cause))) ?? "";
  const records = text.split("\n").slice(0, -1).flatMap(parseLine);
  return parseFanOutRecords({ orchestrator: {}, records }, `${file}.journal`);
}

function parseLine(line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line);
    return [value];
  } catch {
    return [];
  }
}
