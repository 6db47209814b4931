import { type FileHandle, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { FILE_MODE, FOLDER_MODE } from "../files/file-modes.ts";
import { isRecord } from "../files/is-record.ts";
import { systemCodeOf, toStoreFailure } from "../files/store-failure.ts";
import type { TrialKey, TrialResult } from "./trial-result.ts";

/** Name of the file. */
const RESULTS_LOG = "results.jsonl";
/** Where the one before it stays, once: whoever forgot to go on has lost nothing. */
const PREVIOUS_LOG = "results.previous.jsonl";

/** First line of the file. */
export interface LogHead {
  /** Version of the format. */
  format: 1;
  /** Name of the evaluation. */
  name: string;
  /** Hash of the text of its file, so that nobody goes on with another one; absent where the host gave none. */
  fingerprint?: string | undefined;
}

/** Keeps finished runs one by one, so that nothing is lost when the process dies. */
export interface ResultsLog extends AsyncDisposable {
  /** Appends a finished run. Resolves when it is on disk. Rejects with `run.store_failed`. */
  append(trial: TrialResult): Promise<void>;
}

/**
 * Opens the log of an evaluation in its output folder: anew, or behind the lines that are there, where `goesOn`. Rejects
 * with `run.store_failed`.
 */
export async function openResultsLog(output: string, head: LogHead, goesOn: boolean): Promise<ResultsLog> {
  const path = join(output, RESULTS_LOG);
  let file: FileHandle;
  try {
    await mkdir(output, { recursive: true, mode: FOLDER_MODE });
    if (!goesOn) await rename(path, join(output, PREVIOUS_LOG)).catch(ignoreMissing);
    file = await open(path, "a", FILE_MODE);
    // Ends a line that a dead process left unfinished; empty ones mean nothing.
    await writeLine(file, goesOn ? "" : JSON.stringify(head));
  } catch (error) {
    throw toStoreFailure(error, path);
  }
  let last: Promise<void> = Promise.resolve();
  return {
    append: (trial) => {
      // One after the other: lines never run into each other.
      const next = last.then(() => writeLine(file, JSON.stringify(trial)));
      last = next.catch(() => undefined);
      return next.catch((error: unknown) => {
        throw toStoreFailure(error, path);
      });
    },
    [Symbol.asyncDispose]: async () => {
      await last;
      await file.close();
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (systemCodeOf(error) !== "ENOENT") throw error;
}

async function writeLine(file: FileHandle, line: string): Promise<void> {
  await file.appendFile(`${line}\n`);
  await file.datasync();
}

/** What an earlier process left of an evaluation. */
export interface LoggedResults {
  /** The first line; nothing when there is no such file, or it is another one. */
  readonly head: LogHead | undefined;
  /** Runs that were finished, the latest of each last; lines that were cut off are left out. */
  readonly trials: readonly TrialResult[];
}

/** Reads the log in an output folder. Rejects with `store.unreadable` when it is there and cannot be read. */
export async function readResultsLog(output: string): Promise<LoggedResults> {
  const path = join(output, RESULTS_LOG);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw toStoreFailure(error, path);
  });
  const values = text.split("\n").flatMap(parseLine);
  return { head: values.find(isHead), trials: values.filter(isTrial) };
}

function parseLine(line: string): unknown[] {
  if (line.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(line);
    return [value];
  } catch {
    // Cut off in the middle: that run is made again.
    return [];
  }
}

function isHead(value: unknown): value is LogHead {
  return isRecord(value) && value["format"] === 1 && typeof value["name"] === "string";
}

const OUTCOMES: readonly unknown[] = ["PASS", "FAIL", "ERROR", "SKIPPED"];
const LISTS = ["assertions", "artifacts", "warnings", "earlier_attempts"];

/** Only this program writes the file; what is looked at is what a cut could take away. */
function isTrial(value: unknown): value is TrialResult {
  if (!isRecord(value) || !OUTCOMES.includes(value["outcome"]) || !isKey(value)) return false;
  return isRecord(value["usage"]) && LISTS.every((name) => Array.isArray(value[name]));
}

function isKey(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & TrialKey {
  const { case_id, engine, iteration } = value;
  return typeof case_id === "string" && typeof engine === "string" && typeof iteration === "number";
}
