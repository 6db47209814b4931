import { appendFile } from "node:fs/promises";
import type { ModelCallRecorder } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import { FILE_MODE } from "./durable-file.ts";
import { toStoreFailure } from "./store-failure.ts";

/** The file `recording.jsonl`: model calls, masked, for a replay. */
export interface RecordingFile extends ModelCallRecorder {
  /** Waits until everything is written. Rejects with `run.store_failed` when something could not be. */
  close(): Promise<void>;
}

/** Makes the recording of a run; there is no file before the first line. */
export function createRecordingFile(path: string, masker: Masker): RecordingFile {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;

  async function flush(): Promise<void> {
    const text = waiting.join("");
    waiting = [];
    if (text === "" || failure !== undefined) return;
    try {
      await appendFile(path, text, { mode: FILE_MODE });
    } catch (error) {
      // Whatever came after half a line could not be read; the rest of the recording is left out.
      failure = error;
    }
  }
  return {
    write: (line) => {
      waiting.push(`${line}\n`);
      writing = writing.then(flush);
    },
    maskData: (data) => masker.maskData(data),
    close: async () => {
      await writing;
      if (failure !== undefined) throw toStoreFailure(failure, path);
    },
  };
}
