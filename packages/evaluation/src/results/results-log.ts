import { type FileHandle, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { FILE_MODE, FOLDER_MODE } from "../files/file-modes.ts";
import { isRecord } from "../files/is-record.ts";
import { systemCodeOf, toStoreFailure } from "../files/store-failure.ts";
import type { OrderVerdict } from "./preference-results.ts";
import type { TrialKey, TrialResult, TrialUsage } from "./trial-result.ts";

/** Name of the results log in the output folder. */
const RESULTS_LOG = "results.jsonl";
/**
 * Name of the backup of the previous log. The backup preserves earlier results if the user starts a new evaluation
 * instead of resuming.
 */
const PREVIOUS_LOG = "results.previous.jsonl";

/** First line of the results log: its header. */
export interface LogHead {
  /** Version of the log format. */
  format: 1;
  /** Name of the evaluation. */
  name: string;
  /** Hash of the suite file, which prevents resuming with a different suite. `undefined` if the host passed none. */
  fingerprint?: string | undefined;
}

/**
 * Decision of a judge that compared the results of two runs. A judge compares each pair twice, once with each result
 * shown first. This is one of the two decisions.
 */
export interface LoggedOrder {
  /** What was compared: a decision is reused only for the same runs, judge and criterion. */
  compared: ComparedRuns;
  /** The decision. */
  verdict: OrderVerdict;
  /** Tokens and cost of the decision, including those of a response that could not be used. */
  usage: TrialUsage;
}

/** Two runs of different engines that a judge compares by a criterion. */
export interface ComparedRuns {
  /** The criterion. */
  criterion: string;
  /** Key of the judge's model: see `keyOfModel`. */
  judge: string;
  /** Id of the first run. Empty if the trial has no run id. */
  left_run: string;
  /** Id of the second run. Empty if the trial has no run id. */
  right_run: string;
}

/** Log of finished trials and comparisons. Each is stored immediately, so that a crash loses none of them. */
export interface ResultsLog extends AsyncDisposable {
  /** Appends the result of a finished trial, or a comparison. Resolves once it is on disk. Rejects with `run.store_failed`. */
  append(entry: TrialResult | LoggedOrder): Promise<void>;
}

/**
 * Opens the results log in an output folder. If `resumes` is true, appends to the existing log; otherwise creates a new
 * one. Rejects with `run.store_failed`.
 */
export async function openResultsLog(output: string, head: LogHead, resumes: boolean): Promise<ResultsLog> {
  const path = join(output, RESULTS_LOG);
  let file: FileHandle;
  try {
    await mkdir(output, { recursive: true, mode: FOLDER_MODE });
    if (!resumes) await rename(path, join(output, PREVIOUS_LOG)).catch(ignoreMissing);
    file = await open(path, "a", FILE_MODE);
    // Starts a new line, because a crashed process may have left an incomplete line.
    // Empty lines are ignored on reading.
    await writeLine(file, resumes ? "" : JSON.stringify(head));
  } catch (error) {
    throw toStoreFailure(error, path);
  }
  let last: Promise<void> = Promise.resolve();
  return {
    append: (entry) => {
      // Writes run one at a time, so that lines never interleave.
      const next = last.then(() => writeLine(file, JSON.stringify(entry)));
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

/** Contents of the results log of an earlier process. */
export interface LoggedResults {
  /** Header, from the first line. `undefined` if the file is missing or has another format. */
  readonly head: LogHead | undefined;
  /**
   * Results of finished trials, in the order in which they were stored. A trial that ran again has several results, and
   * the last one counts. Truncated lines are omitted.
   */
  readonly trials: readonly TrialResult[];
  /** Decisions of judges that compared two runs. */
  readonly orders: readonly LoggedOrder[];
}

/** Reads the results log in an output folder. Rejects with `run.store_failed` if the file exists but cannot be read. */
export async function readResultsLog(output: string): Promise<LoggedResults> {
  const path = join(output, RESULTS_LOG);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw toStoreFailure(error, path);
  });
  const values = text.split("\n").flatMap(parseLine);
  return { head: values.find(isHead), trials: values.filter(isTrial), orders: values.filter(isOrder) };
}

function parseLine(line: string): unknown[] {
  if (line.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(line);
    return [value];
  } catch {
    // A crash truncated the line, so its trial runs again.
    return [];
  }
}

function isHead(value: unknown): value is LogHead {
  return isRecord(value) && value["format"] === 1 && typeof value["name"] === "string";
}

const OUTCOMES: readonly unknown[] = ["PASS", "FAIL", "ERROR", "SKIPPED"];
const LISTS = ["assertions", "artifacts", "warnings", "earlier_attempts"];

/**
 * Returns whether a parsed line is a trial result. Checks only that no field is missing, because no other program
 * writes the log.
 */
function isTrial(value: unknown): value is TrialResult {
  if (!isRecord(value) || !OUTCOMES.includes(value["outcome"]) || !isKey(value)) return false;
  return isRecord(value["usage"]) && LISTS.every((name) => Array.isArray(value[name]));
}

function isOrder(value: unknown): value is LoggedOrder {
  if (!isRecord(value)) return false;
  const { compared, verdict, usage } = value;
  return isRecord(compared) && isRecord(verdict) && isRecord(usage);
}

function isKey(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & TrialKey {
  const { case_id, engine, iteration } = value;
  return typeof case_id === "string" && typeof engine === "string" && typeof iteration === "number";
}
