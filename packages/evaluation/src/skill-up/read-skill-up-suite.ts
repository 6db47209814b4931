import { basename } from "node:path";
import { isRecord } from "../files/is-record.ts";
import type { EvalCase, EvalSuite, EvalVariant, RetryReason } from "../suite/eval-suite.ts";
import { below, type Field, type FieldsByName, fail, isAbsent, readList, readMap } from "../suite/field.ts";
import { readGlobs } from "../suite/read-globs.ts";
import { readReport } from "../suite/read-report.ts";
import { readFlag, readInteger, readOneOf } from "../suite/scalar-fields.ts";
import { type CaseSettings, readCase } from "./read-case.ts";
import { readEngine, readEngineWithModel, readSimulatedUser, type SkillUpEngine } from "./read-engine.ts";
import { readEnvironment } from "./read-environment.ts";
import { readExpectations } from "./read-expect.ts";
import { checkJudgeDefaults } from "./read-judges.ts";
import { readMcp } from "./read-mcp.ts";
import { readSkills } from "./read-skills.ts";
import { findSkillFolder, type SkillFolder } from "./skill-folder.ts";

/** Version of the format that this reader supports. */
const VERSION = "v1alpha1";

const KNOWN = [
  ...["schema_version", "environment", "mcp", "skills", "engine", "user_simulator", "cases", "judge", "judges"],
  ...["benchmark", "report"],
];
const CASES = ["files", "defaults", "parallelism", "retry_policy"];
const DEFAULTS = ["timeout_seconds", "max_turns", "collect_artifacts", "expect"];
const TIMEOUT_SECONDS = 300;
const MAX_TURNS = 10;
const MAX_PARALLELISM = 256;
const MAX_RETRIES = 10;

/** True if a document is an evaluation file of skill-up, another evaluation tool. */
export function isSkillUpDocument(value: unknown): boolean {
  return isRecord(value) && value["schema_version"] !== undefined;
}

/**
 * True if a document is an evaluation file, in skill-up's or in Switchyard's format. In Switchyard's format, a document
 * with the field `engine` is an engine file instead.
 */
export function isEvalDocument(value: unknown): boolean {
  return isRecord(value) && value["cases"] !== undefined && (isSkillUpDocument(value) || value["engine"] === undefined);
}

/**
 * Reads an evaluation file of skill-up, and the case files that it names. `top` is the root of the evaluation file, and
 * `path` the path of that file. Problems are added to `top.problems`.
 */
export async function readSkillUpSuite(top: Field, path: string): Promise<EvalSuite | undefined> {
  const fields = readMap(top, KNOWN);
  if (fields === undefined) return undefined;
  const { value: version } = fields("schema_version");
  if (version !== VERSION) fail(fields("schema_version"), `must be ${VERSION}`);
  const folder = await findSkillFolder(path);
  const warnings: string[] = [];
  const environment = readEnvironment(fields("environment"), warnings);
  const { EVALUATION_AGENTS } = await import("@switchyard/custom-engine");
  const options = { agents: EVALUATION_AGENTS, isContained: environment?.image !== undefined };
  const engine = readEngine(fields("engine"), options);
  const simulatedUser = readSimulatedUser(fields("user_simulator"));
  const engineWith = (model: string) => readEngineWithModel(fields("engine"), model, options);
  const judges = { judge: fields("judge"), judges: fields("judges"), folder, engineWith };
  await checkJudgeDefaults(judges);
  const mcp = await readMcp(fields("mcp"), { folder, isCase: false });
  const variants = await readVariants(fields, { folder, target: engine?.skills ?? "" });
  const reportFormats = readFormats(fields("report"));
  const settings = {
    folder,
    judges,
    mcp,
    hasSimulatedUser: simulatedUser !== undefined,
    hasCustomEngine: engine?.isCustom === true,
  };
  const read = await readCases(fields("cases"), settings);
  if (engine !== undefined) refuseConversations(fields("engine"), engine, read.cases);
  if (environment?.image !== undefined) refuseCopies(fields("environment"), read.cases);
  if (engine === undefined) return undefined;
  return {
    name: basename(folder.isSkill ? folder.root : path).replace(/\.ya?ml$/iu, ""),
    engines: [engine.choice],
    variants,
    ...read,
    iterations: 1,
    budget: {},
    environment,
    simulatedUser,
    reportFormats,
    warnings: [...warnings, ...engine.warnings],
  };
}

async function readVariants(
  fields: FieldsByName,
  options: { readonly folder: SkillFolder; readonly target: string },
): Promise<EvalVariant[]> {
  const files = await readSkills(fields("skills"), options);
  const benchmark = readMap(fields("benchmark"), ["enabled"]);
  const isCompared = benchmark !== undefined && readFlag(benchmark("enabled")) === true;
  const variants = [{ name: "with_skill", files, kwargs: {} }];
  return isCompared ? [...variants, { name: "without_skill", files: [], kwargs: {} }] : variants;
}

/** All transcripts and logs are kept, so `artifacts` is validated and has no further effect. */
function readFormats(field: Field): EvalSuite["reportFormats"] {
  const fields = readMap(field, ["formats", "artifacts"]);
  const artifacts = fields === undefined ? [] : readList(fields("artifacts"));
  for (const artifact of artifacts) readOneOf(artifact, ["transcript", "logs"]);
  return readReport({ ...field, problems: fields === undefined ? [] : field.problems }, ["formats", "artifacts"]);
}

type Shared = Pick<CaseSettings, "folder" | "judges" | "mcp" | "hasSimulatedUser" | "hasCustomEngine">;

async function readCases(
  field: Field,
  shared: Shared,
): Promise<Pick<EvalSuite, "cases" | "concurrency" | "retries" | "retryOn">> {
  const none = { cases: [], concurrency: 1, retries: 0 };
  const fields = isAbsent(field) ? fail(field, "is required") : readMap(field, CASES);
  if (fields === undefined) return none;
  const defaults = readMap(fields("defaults"), DEFAULTS) ?? ((name: string) => below(field, name, undefined));
  const seconds = readInteger(defaults("timeout_seconds")) ?? 0;
  const settings: CaseSettings = {
    ...shared,
    timeoutSeconds: seconds === 0 ? TIMEOUT_SECONDS : Math.max(0, seconds),
    maxTurns: readInteger(defaults("max_turns")) || MAX_TURNS,
    expectations: await readExpectations(defaults("expect"), shared.folder),
    collect: await readGlobs(defaults("collect_artifacts")),
  };
  const entries = readList(fields("files"));
  if (entries.length === 0) fail(fields("files"), "must name at least one case file");
  const cases: EvalCase[] = [];
  for (const entry of entries) {
    const one = await readCase(entry, settings);
    if (one === undefined) continue;
    if (cases.some(({ id }) => id === one.id)) fail(entry, `has the id ${one.id}, which another case has too`);
    cases.push(one);
  }
  return { cases, concurrency: readLimit(fields("parallelism"), MAX_PARALLELISM) || 1, ...readRetries(fields) };
}

function readRetries(fields: FieldsByName): Pick<EvalSuite, "retries" | "retryOn"> {
  const policy = readMap(fields("retry_policy"), ["max_retries", "retry_on"]);
  if (policy === undefined) return { retries: 0 };
  const reasons = readList(policy("retry_on")).flatMap(
    (entry) => readOneOf<RetryReason>(entry, ["timeout", "error"]) ?? [],
  );
  const retryOn = isAbsent(policy("retry_on")) ? {} : { retryOn: reasons };
  return { retries: readLimit(policy("max_retries"), MAX_RETRIES), ...retryOn };
}

function readLimit(field: Field, most: number): number {
  const value = readInteger(field) ?? 0;
  if (value < 0 || value > most) fail(field, `must be a whole number up to ${most}`);
  return Math.max(0, value);
}

function refuseConversations(field: Field, { hasConversations }: SkillUpEngine, cases: readonly EvalCase[]): void {
  const found = cases.find(({ turns = [], isOpenEnded }) => turns.length > 1 || isOpenEnded === true);
  if (hasConversations || found === undefined) return;
  fail(field, `cannot hold a conversation, which the case ${found.id} requires`);
}

/**
 * Rejects cases with several judges. Each judge needs a copy of the workspace, and only workspaces on this machine can
 * be copied.
 */
function refuseCopies(field: Field, cases: readonly EvalCase[]): void {
  const found = cases.find(({ hasIndependentJudges }) => hasIndependentJudges === true);
  if (found !== undefined) fail(field, `must have the type none, because the case ${found.id} has several judges`);
}
