import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../files/is-record.ts";
import { systemCodeOf, toStoreFailure } from "../files/store-failure.ts";
import type { EvalResults } from "./eval-results.ts";
import type { GroupName } from "./eval-statistics.ts";

/** Name of the history in the output folder: one line for each evaluation, the oldest first. */
export const HISTORY_FILE = "history.jsonl";
/** Maximum number of evaluations in the history. Beyond it, the oldest ones are removed. */
const MAX_ENTRIES = 50;

/** Runs of one case with one engine and variant. */
export interface HistoryCell extends GroupName {
  /** Id of the case. */
  case_id: string;
  /** Number of runs that passed. */
  passed: number;
  /** Number of runs that were not skipped. At least 1. */
  runs: number;
}

/** Pass counts of one evaluation in the output folder. */
export interface HistoryEntry {
  /** Version of the format. */
  format: 1;
  /** Name of the evaluation. */
  name: string;
  /** Start time, ISO 8601. */
  started_at: string;
  /**
   * Id of the first run, in planned order, that passed or failed. `undefined` if no run did. A resumed evaluation still
   * contains this run, so `readHistory` recognises the entry that was written before the evaluation was resumed.
   */
  first_run?: string | undefined;
  /** Runs by case, engine and variant. */
  cells: HistoryCell[];
}

/** Returns the history entry of an evaluation. */
export function toHistoryEntry({ name, started_at, trials }: EvalResults): HistoryEntry {
  const cells = new Map<string, HistoryCell>();
  for (const { case_id, engine, variant, outcome } of trials) {
    if (outcome === "SKIPPED") continue;
    const key = JSON.stringify([case_id, engine, variant]);
    const cell = cells.get(key) ?? {
      ...{ case_id, engine, passed: 0, runs: 0 },
      ...(variant === undefined ? {} : { variant }),
    };
    cells.set(key, { ...cell, passed: cell.passed + (outcome === "PASS" ? 1 : 0), runs: cell.runs + 1 });
  }
  const first = trials.find(({ outcome }) => outcome === "PASS" || outcome === "FAIL")?.run_id;
  return {
    format: 1,
    name,
    started_at,
    ...(first === undefined ? {} : { first_run: first }),
    cells: [...cells.values()],
  };
}

/**
 * Reads the evaluations that ran before in an output folder, the oldest first. If the current evaluation was resumed,
 * its own earlier entry is left out. Rejects with `run.store_failed` if the file exists but cannot be read.
 */
export async function readHistory(output: string, results: Pick<EvalResults, "trials">): Promise<HistoryEntry[]> {
  const path = join(output, HISTORY_FILE);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw toStoreFailure(error, path);
  });
  const runs = new Set(results.trials.map(({ run_id }) => run_id));
  const entries = text.split("\n").flatMap(parseEntry);
  return entries.filter(({ first_run: first }) => first === undefined || !runs.has(first)).slice(1 - MAX_ENTRIES);
}

function parseEntry(line: string): HistoryEntry[] {
  if (line.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? [value] : [];
  } catch {
    // A line that another program damaged must not prevent the results from being written.
    return [];
  }
}

function isEntry(value: unknown): value is HistoryEntry {
  if (!isRecord(value) || value["format"] !== 1 || !Array.isArray(value["cells"])) return false;
  const { name, started_at, first_run } = value;
  const isTexts = typeof name === "string" && typeof started_at === "string" && !Number.isNaN(Date.parse(started_at));
  return isTexts && (first_run === undefined || typeof first_run === "string") && value["cells"].every(isCell);
}

function isCell(value: unknown): value is HistoryCell {
  if (!isRecord(value)) return false;
  const { case_id, engine, variant, passed, runs } = value;
  const isNamed = typeof case_id === "string" && typeof engine === "string";
  const isVariant = variant === undefined || typeof variant === "string";
  return isNamed && isVariant && isCount(passed) && isCount(runs) && runs > 0 && passed <= runs;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
