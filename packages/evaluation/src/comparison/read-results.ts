import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeText, EngineError, fileProblem } from "@switchyard/contracts";
import { parseJson } from "@switchyard/runner";
import { isRecord } from "../files/is-record.ts";
import type { TrialOutcome } from "../results/trial-result.ts";
import { RESULT_FILES } from "../results/write-results.ts";
import type { StoredResults, StoredTrial } from "./stored-results.ts";

/**
 * Reads the results of an evaluation, given the path of `results.json` or of the output folder. Rejects with
 * `input.unreadable`, `input.malformed` or `input.invalid`, which names the wrong field.
 */
export async function readResults(path: string): Promise<StoredResults> {
  let file = path;
  let text: string;
  try {
    if ((await stat(path)).isDirectory()) file = join(path, RESULT_FILES.json);
    text = decodeText(await readFile(file), file);
  } catch (error) {
    if (EngineError.is(error)) throw error;
    throw new EngineError("input.unreadable", { path: file, problem: fileProblem(error) }, { cause: error });
  }
  return parseResults(await parseJson(text, file), file);
}

/** Checks the fields of a result file that a comparison uses. Throws `input.invalid`. */
function parseResults(value: unknown, path: string): StoredResults {
  const invalid = (problem: string): EngineError =>
    new EngineError("input.invalid", { path, expected: "evaluation result", problem });
  if (!isRecord(value)) throw invalid("it must be an object");
  const { format, name, started_at, trials } = value;
  if (format !== 1) throw invalid("format must be 1");
  if (typeof name !== "string") throw invalid("name must be a text");
  if (typeof started_at !== "string") throw invalid("started_at must be a time");
  if (!Array.isArray(trials)) throw invalid("trials must be a list");
  const seen = new Set<string>();
  const parsed = trials.map((one: unknown, index) => {
    const { trial, key } = parseTrial(one, (problem) => invalid(`trials[${index}]${problem}`));
    if (seen.has(key)) throw invalid(`trials[${index}] repeats an earlier run`);
    seen.add(key);
    return trial;
  });
  return { path, name, started_at, trials: parsed };
}

function parseTrial(value: unknown, invalid: (problem: string) => EngineError): { trial: StoredTrial; key: string } {
  if (!isRecord(value)) throw invalid(" must be an object");
  const { case_id, engine, variant, iteration, outcome, duration_ms } = value;
  if (typeof case_id !== "string") throw invalid(".case_id must be a text");
  if (typeof engine !== "string") throw invalid(".engine must be a text");
  if (variant !== undefined && typeof variant !== "string") throw invalid(".variant must be a text");
  if (!Number.isSafeInteger(iteration)) throw invalid(".iteration must be a whole number");
  if (!isOutcome(outcome)) throw invalid(".outcome must be PASS, FAIL, ERROR or SKIPPED");
  if (duration_ms !== undefined && !isAmount(duration_ms)) throw invalid(".duration_ms must be a number, 0 or more");
  const cost_usd = costOf(value, invalid);
  const trial: StoredTrial = {
    ...{ case_id, engine, outcome },
    ...(variant === undefined ? {} : { variant }),
    ...(duration_ms === undefined ? {} : { duration_ms }),
    ...(cost_usd === undefined ? {} : { cost_usd }),
  };
  return { trial, key: JSON.stringify([case_id, engine, variant, iteration]) };
}

/** Returns the cost of all attempts. `undefined` if the cost of one is unknown or partial. */
function costOf(
  { usage, earlier_attempts, run_id }: Readonly<Record<string, unknown>>,
  invalid: (problem: string) => EngineError,
): number | undefined {
  const earlier: readonly unknown[] = Array.isArray(earlier_attempts) ? earlier_attempts : [];
  const usages = [
    ...(run_id === undefined ? [] : [usage]),
    ...earlier.flatMap((attempt) => (isRecord(attempt) ? [attempt["usage"]] : [])),
  ];
  let sum = 0;
  for (const used of usages) {
    if (!isRecord(used)) throw invalid(".usage must be an object");
    const { cost_usd, is_cost_partial } = used;
    if (cost_usd === undefined || is_cost_partial === true) return undefined;
    if (!isAmount(cost_usd)) throw invalid(".usage.cost_usd must be a number, 0 or more");
    sum += cost_usd;
  }
  return sum;
}

function isOutcome(value: unknown): value is TrialOutcome {
  return value === "PASS" || value === "FAIL" || value === "ERROR" || value === "SKIPPED";
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
