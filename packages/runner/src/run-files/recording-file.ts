import { closeSync, openSync, writeFileSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { ModelCallRecorder } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { isRecord } from "../input/is-record.ts";
import { FILE_MODE, FOLDER_MODE } from "./run-files.ts";
import { systemCodeOf, toStoreFailure } from "./store-failure.ts";

const WINDOW_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** The file `recording.jsonl`: masked model calls, for replays. */
export interface RecordingFile extends ModelCallRecorder {
  /** Waits until everything is written. Rejects with `run.store_failed` if a write failed. */
  close(): Promise<void>;
}

/** Options for `createRecordingFile`. */
export interface RecordingFileOptions {
  /** Masks secrets. */
  masker: Masker;
  /** Whether to append to the recording of an earlier attempt, if there is one. */
  continues: boolean;
  /** Signal that stops the recording. It aborts when another writer has taken over the run, and thereby the file. */
  signal: AbortSignal;
}

/** Creates the recording of a run. The file is created with the first line. */
export function createRecordingFile(path: string, { masker, continues, signal }: RecordingFileOptions): RecordingFile {
  let waiting: string[] = [];
  let skipsHeader = false;
  let file: number | undefined;
  let isClosed = false;
  let failure: unknown;
  let writing: Promise<void> = continues ? begin() : Promise.resolve();

  /**
   * Truncates an incomplete last line, because lines appended to it could not be parsed. Skips the header if the file
   * already has one.
   */
  async function begin(): Promise<void> {
    try {
      skipsHeader = (await cutTornLine(path)) > 0;
    } catch (error) {
      failure = error;
    }
  }
  /** Returns false for a header that is not the first. Each attempt of an engine begins with a header. */
  function isWritten(line: string): boolean {
    if (!isHeader(line)) return true;
    const isFirst = !skipsHeader;
    skipsHeader = true;
    return isFirst;
  }
  async function flush(): Promise<void> {
    const lines = waiting.filter(isWritten);
    waiting = [];
    if (lines.length === 0 || failure !== undefined || signal.aborted) return;
    try {
      file ??= await openFile(path);
      // Writes are synchronous, as in the event log: asynchronous calls cost far more than one small write.
      writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    } catch (error) {
      // After a partial line, later lines could not be parsed, so recording stops.
      failure = error;
    }
  }
  return {
    write: (line) => {
      // A model call of an engine that was given up may end after its run.
      if (isClosed) return;
      waiting.push(line);
      writing = writing.then(flush);
    },
    maskData: (data) => masker.maskData(data),
    close: async () => {
      isClosed = true;
      await writing;
      if (file !== undefined) closeSync(file);
      file = undefined;
      if (failure !== undefined) throw toStoreFailure(failure, path);
    },
  };
}

/** Opens the file for appending. The folder is created too, because not every store creates a folder for each run. */
async function openFile(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  return openSync(path, "a", FILE_MODE);
}

function isHeader(line: string): boolean {
  // Only a header begins with `format`. Other lines are not parsed, because parsing costs more than writing.
  if (!line.startsWith('{"format":')) return false;
  const value: unknown = JSON.parse(line);
  return isRecord(value) && typeof value["version"] === "number";
}

/**
 * Truncates an incomplete last line of the file. Resolves with the remaining size in bytes; 0 if the file does not
 * exist.
 */
async function cutTornLine(path: string): Promise<number> {
  const file = await open(path, "r+").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return 0;
  try {
    const { size } = await file.stat();
    const window = Buffer.alloc(WINDOW_BYTES);
    for (let end = size; end > 0; end -= WINDOW_BYTES) {
      const start = Math.max(0, end - WINDOW_BYTES);
      const { bytesRead } = await file.read(window, 0, end - start, start);
      const at = window.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
      if (at < 0) continue;
      const lineEnd = start + at + 1;
      if (lineEnd < size) await file.truncate(lineEnd);
      return lineEnd;
    }
    await file.truncate(0);
    return 0;
  } finally {
    await file.close();
  }
}
