import { appendFileSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { ModelCallRecorder } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { isRecord } from "../input/is-record.ts";
import { FILE_MODE, FOLDER_MODE } from "./run-files.ts";
import { systemCodeOf, toStoreFailure } from "./store-failure.ts";

const WINDOW_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** The file `recording.jsonl`: model calls, masked, for a replay. */
export interface RecordingFile extends ModelCallRecorder {
  /** Waits until everything is written. Rejects with `run.store_failed` when something could not be. */
  close(): Promise<void>;
}

/** How a recording is kept. */
export interface RecordingFileOptions {
  /** Takes secrets out. */
  masker: Masker;
  /** Whether an earlier attempt may have left a recording, which this one goes on with. */
  continues: boolean;
  /** Ends the recording when it fires: the file belongs to another writer. */
  signal: AbortSignal;
}

/** Makes the recording of a run; there is no file before the first line. */
export function createRecordingFile(path: string, { masker, continues, signal }: RecordingFileOptions): RecordingFile {
  let waiting: string[] = [];
  let skipsHeader = false;
  let made: Promise<unknown> | undefined;
  let failure: unknown;
  let writing: Promise<void> = continues ? begin() : Promise.resolve();

  /** A recording has one header, and whatever came behind half a line could not be read. */
  async function begin(): Promise<void> {
    try {
      skipsHeader = (await cutTornLine(path)) > 0;
    } catch (error) {
      failure = error;
    }
  }
  async function flush(): Promise<void> {
    const lines = waiting.filter((line) => !(skipsHeader && isHeader(line)));
    waiting = [];
    if (lines.length === 0 || failure !== undefined || signal.aborted) return;
    try {
      // Not every store makes a folder for its runs.
      made ??= mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
      await made;
      // As the log of events is written: three trips through the thread pool cost many times what the lines do.
      appendFileSync(path, lines.map((line) => `${line}\n`).join(""), { mode: FILE_MODE });
    } catch (error) {
      // Whatever came after half a line could not be read; the rest of the recording is left out.
      failure = error;
    }
  }
  return {
    write: (line) => {
      waiting.push(line);
      writing = writing.then(flush);
    },
    maskData: (data) => masker.maskData(data),
    close: async () => {
      await writing;
      if (failure !== undefined) throw toStoreFailure(failure, path);
    },
  };
}

function isHeader(line: string): boolean {
  // Calls have a request; parsing each of them would cost more than writing it.
  if (!line.startsWith('{"format":')) return false;
  const value: unknown = JSON.parse(line);
  return isRecord(value) && typeof value["version"] === "number";
}

/** Removes what stands behind the last line end of a file; gives the bytes that are left, 0 when there is no file. */
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
      const whole = start + at + 1;
      if (whole < size) await file.truncate(whole);
      return whole;
    }
    await file.truncate(0);
    return 0;
  } finally {
    await file.close();
  }
}
