import { basename, dirname } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import { isSkillUpDocument, readSkillUpSuite } from "../skill-up/read-skill-up-suite.ts";
import type { EngineChoice, EvalBudget, EvalCase, EvalSuite, EvalVariant, SimulatedUserChoice } from "./eval-suite.ts";
import {
  below,
  type Field,
  fail,
  isAbsent,
  readAmount,
  readCount,
  readEntries,
  readList,
  readMap,
  readTexts,
} from "./field.ts";
import { type CaseDefaults, parseCase } from "./parse-case.ts";
import { parseDocument } from "./parse-document.ts";
import { parseFiles, readFolder } from "./parse-files.ts";
import { readEngineChoice } from "./read-engine-choice.ts";
import { readName, refuseTwins } from "./read-name.ts";
import { readModel, readPanel } from "./read-panel.ts";
import { readPreference } from "./read-preference.ts";
import { readReport } from "./read-report.ts";
import { isUnjudged } from "./read-rubric.ts";

const KNOWN = [
  ...["name", "workspace", "engines", "variants", "iterations", "concurrency", "retries", "timeout_seconds"],
  ...["max_turns", "budget", "judge", "preference", "simulated_user", "report", "cases"],
];

/** Default timeout of a session, in seconds. Prevents an engine that hangs from blocking the evaluation. */
const TIMEOUT_SECONDS = 600;

/**
 * Parses an evaluation suite in YAML or JSON: a suite in Switchyard's format, or an `eval.yaml` of skill-up, which has
 * the setting `schema_version` and separate case files. Resolves its paths relative to the suite file, and compiles
 * patterns and schemas. Rejects with `config.invalid_eval`, which lists all problems with their field paths.
 */
export async function parseEvalSuite(text: string, path: string): Promise<EvalSuite> {
  const document = await parseDocument(text);
  if ("problems" in document) throw invalid(path, document.problems);
  const problems: string[] = [];
  const top: Field = { path: "", value: document.value, problems };
  const isSkillUp = isSkillUpDocument(document.value);
  const suite = await (isSkillUp ? readSkillUpSuite(top, path) : readSuite(top, path));
  if (suite === undefined || problems.length > 0) throw invalid(path, problems);
  return suite;
}

function invalid(path: string, problems: readonly string[]): EngineError {
  return new EngineError("config.invalid_eval", { path, problems: problems.join("\n") });
}

async function readSuite(top: Field, path: string): Promise<EvalSuite | undefined> {
  const fields = isAbsent(top) ? fail(top, "is empty") : readMap(top, KNOWN);
  if (fields === undefined) return undefined;
  const directory = dirname(path);
  const defaults: CaseDefaults = {
    directory,
    workspace: await readFolder(fields("workspace"), directory),
    timeoutSeconds: readCount(fields("timeout_seconds"), 1) ?? TIMEOUT_SECONDS,
    maxTurns: readCount(fields("max_turns"), 1),
    panel: await readPanel(fields("judge"), directory),
    hasSimulatedUser: !isAbsent(fields("simulated_user")),
  };
  const cases = await readCases(fields("cases"), defaults);
  if (isAbsent(fields("judge"))) refuseUnjudged(fields("judge"), cases);
  return {
    name: readName(fields("name")) ?? basename(path).replace(/\.[^.]*$/u, ""),
    engines: await readEngines(fields("engines"), directory),
    variants: await readVariants(fields("variants"), directory),
    cases,
    iterations: readCount(fields("iterations"), 1) ?? 1,
    concurrency: readCount(fields("concurrency"), 1) ?? 1,
    retries: readCount(fields("retries"), 0) ?? 0,
    budget: readBudget(fields("budget")),
    preference: await readPreference(fields("preference"), defaults),
    simulatedUser: readSimulatedUser(fields("simulated_user")),
    reportFormats: readReport(fields("report"), ["formats"]),
  };
}

async function readCases(field: Field, defaults: CaseDefaults): Promise<EvalCase[]> {
  if (isAbsent(field) || (Array.isArray(field.value) && field.value.length === 0)) {
    fail(field, "is required: a list with at least one case");
    return [];
  }
  const entries = readList(field);
  refuseTwins(entries.map((entry) => below(entry, "id", isRecord(entry.value) ? entry.value["id"] : undefined)));
  const cases: EvalCase[] = [];
  for (const entry of entries) {
    const one = await parseCase(entry, defaults);
    if (one !== undefined) cases.push(one);
  }
  return cases;
}

function refuseUnjudged(field: Field, cases: readonly EvalCase[]): void {
  const judged = cases.find(({ assertions }) => assertions.some(isUnjudged));
  if (judged !== undefined) fail(field, `is required: the case ${judged.id} has an assertion that a model decides`);
}

async function readEngines(field: Field, directory: string): Promise<EngineChoice[]> {
  const entries = readList(field);
  if (Array.isArray(field.value) && entries.length === 0) fail(field, "must name at least one engine");
  refuseTwins(entries.map((entry) => below(entry, "id", isRecord(entry.value) ? entry.value["id"] : undefined)));
  const engines: EngineChoice[] = [];
  for (const entry of entries) {
    const choice = await readEngineChoice(entry, directory);
    if (choice !== undefined) engines.push(choice);
  }
  return engines;
}

async function readVariants(field: Field, directory: string): Promise<EvalVariant[]> {
  if (isAbsent(field)) return [{ files: [], kwargs: {} }];
  const entries = readEntries(field);
  if (isRecord(field.value) && entries.length === 0) fail(field, "must name at least one variant, or be left out");
  const variants: EvalVariant[] = [];
  for (const { name, field: entry } of entries) {
    const fields = readMap(entry, ["files", "kwargs"]);
    readName({ ...entry, value: name });
    if (fields === undefined) continue;
    const files = await parseFiles(fields("files"), directory);
    variants.push({ name, files, kwargs: readTexts(fields("kwargs")) });
  }
  return variants;
}

function readBudget(field: Field): EvalBudget {
  const fields = readMap(field, ["cost_usd", "total_tokens", "minutes"]);
  if (fields === undefined) return {};
  return {
    costUsd: readAmount(fields("cost_usd")),
    totalTokens: readCount(fields("total_tokens"), 1),
    minutes: readAmount(fields("minutes")),
  };
}

/** Default time limit of one message of a simulated user, in seconds. */
const SIMULATED_USER_SECONDS = 30;

function readSimulatedUser(field: Field): SimulatedUserChoice | undefined {
  if (isAbsent(field)) return undefined;
  const fields = readMap(field, ["model", "base_url", "timeout_seconds"]);
  const choice = fields === undefined ? undefined : readModel(fields("model"), fields("base_url"));
  if (fields === undefined || choice === undefined) return undefined;
  return { ...choice, timeoutSeconds: readCount(fields("timeout_seconds"), 1) ?? SIMULATED_USER_SECONDS };
}
