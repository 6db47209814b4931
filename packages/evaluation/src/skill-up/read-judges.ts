import { basename } from "node:path";
import { isRecord } from "../files/is-record.ts";
import type { Assertion, EngineChoice, RubricContext } from "../suite/eval-suite.ts";
import { below, type Field, type FieldsByName, fail, isAbsent, readList, readMap, required } from "../suite/field.ts";
import { readName, refuseTwins } from "../suite/read-name.ts";
import { readRules } from "../suite/read-rules.ts";
import { readInteger, readOneOf, readScalar, readScalars } from "../suite/scalar-fields.ts";
import { readJudgeSkills } from "./read-skills.ts";
import { readSkillPath, type SkillFolder } from "./skill-folder.ts";

const KNOWN = [
  ...["type", "script_path", "timeout_seconds", "model", "skills", "criteria", "context", "pass_threshold"],
  ...["success", "failure"],
];
const TYPES = ["rule_based", "script", "agent_judge"] as const;

const SCRIPT_TIMEOUT_SECONDS = 30;
const THRESHOLD = 0.7;
const MAX_TEXT = 65_536;
const SHORT_TEXT = 4_096;

/** Judges of a case: their assertions, and whether each judge decides independently. */
export interface Judges {
  readonly assertions: readonly Assertion[];
  readonly areIndependent: boolean;
}

/** Judges of the evaluation file, which cases inherit. */
export interface JudgeDefaults {
  /** Field `judge`. */
  readonly judge: Field;
  /** Field `judges`. */
  readonly judges: Field;
  readonly folder: SkillFolder;
  /**
   * Returns the engine of the evaluation file, with its model replaced by `model`, the model of a judge. `undefined` if
   * the engine is invalid.
   */
  readonly engineWith: (model: string) => EngineChoice | undefined;
}

/** The part of an evaluation file, or of a case, from which a judge is read. */
interface JudgeSource extends Pick<JudgeDefaults, "folder" | "engineWith"> {
  /** Whether the judge may be incomplete, because cases complete it. Default: false. */
  readonly isPartial?: boolean | undefined;
}

/**
 * Adds the problems of the judges in the evaluation file to the list of problems. Settings may be missing in the file's
 * `judge`, because cases can add them.
 */
export async function checkJudgeDefaults(defaults: JudgeDefaults): Promise<void> {
  const { judge, judges } = defaults;
  if (!isAbsent(judge) && !isAbsent(judges)) fail(judges, "does not go with judge");
  if (!isAbsent(judge)) await readJudge(judge, { ...defaults, isPartial: true });
  if (!isAbsent(judges)) await readJudgeList(judges, defaults);
}

/**
 * Reads the judges of a case. If the case has no judges, it inherits those of the evaluation file. `judges` in the case
 * replaces all inherited judges. `judge` in the case also replaces them, but inherits missing settings from `judge` in
 * the evaluation file, as described at `merge`.
 */
export async function readJudges(fields: FieldsByName, defaults: JudgeDefaults): Promise<Judges> {
  const [judge, judges] = [fields("judge"), fields("judges")];
  if (!isAbsent(judge) && !isAbsent(judges)) fail(judges, "does not go with judge");
  if (!isAbsent(judges)) return { assertions: await readJudgeList(judges, defaults), areIndependent: true };
  if (isAbsent(judge) && !isAbsent(defaults.judges)) {
    const inherited = { ...defaults.judges, problems: [] };
    return { assertions: await readJudgeList(inherited, defaults), areIndependent: true };
  }
  const merged = merge(defaults.judge, judge);
  if (isAbsent(merged)) return { assertions: [], areIndependent: false };
  const problems: string[] = [];
  const assertions = await readJudge({ ...merged, problems }, defaults);
  // If the case has no judge, it inherits the judge of the evaluation file. Problems of that judge were recorded
  // before, so only other problems are recorded here.
  const isNew = (problem: string): boolean => !defaults.judge.problems.includes(problem);
  judge.problems.push(...(isAbsent(judge) ? problems.filter(isNew) : problems));
  return { assertions, areIndependent: false };
}

/** Settings that a judge with its own `type` inherits. The others describe the decision and are not mixed. */
const INHERITED = ["model", "pass_threshold", "timeout_seconds"];

/** Adds inherited settings to a judge: all of them if it has no `type`, otherwise the settings that every type shares. */
function merge(inherited: Field, own: Field): Field {
  if (isAbsent(own)) return inherited;
  const [base, given] = [inherited.value, own.value];
  if (!isRecord(base) || !isRecord(given)) return own;
  const [one, other] = [base["context"], given["context"]];
  const context = isRecord(one) && isRecord(other) ? { context: { ...one, ...other } } : {};
  if (given["type"] === undefined) return { ...own, value: { ...base, ...given, ...context } };
  const shared = Object.entries(base).filter(([name]) => INHERITED.includes(name));
  if (given["type"] !== base["type"]) return { ...own, value: { ...Object.fromEntries(shared), ...given } };
  const kept = isRecord(one) && given["context"] === undefined ? { context: one } : context;
  return { ...own, value: { ...Object.fromEntries(shared), ...given, ...kept } };
}

async function readJudgeList(field: Field, source: JudgeSource): Promise<Assertion[]> {
  const entries = readList(field);
  refuseTwins(entries.map((entry) => below(entry, "id", isRecord(entry.value) ? entry.value["id"] : undefined)));
  const assertions: Assertion[] = [];
  for (const entry of entries) {
    const id = isRecord(entry.value) ? below(entry, "id", entry.value["id"]) : undefined;
    const judge = id === undefined ? undefined : required(id, readName);
    assertions.push(...(await readJudge(entry, source, judge ?? "")));
  }
  return assertions;
}

async function readJudge(field: Field, source: JudgeSource, id?: string): Promise<Assertion[]> {
  const fields = readMap(field, id === undefined ? KNOWN : ["id", ...KNOWN]);
  const type = fields === undefined ? undefined : needed(fields("type"), (one) => readOneOf(one, TYPES), source);
  if (fields === undefined || type === undefined) return [];
  const label = id === undefined ? {} : { judge: id };
  if (type !== "agent_judge" && readList(fields("skills")).length > 0) fail(fields("skills"), "goes with agent_judge");
  if (type === "rule_based") return readRuleJudge(fields, label);
  const own = type === "script" ? await readScript(fields, source) : await readRubric(fields, source);
  return own === undefined ? [] : [{ ...own, ...label }];
}

async function readRuleJudge(fields: FieldsByName, label: { judge?: string }): Promise<Assertion[]> {
  const forbidden = await readRules(fields("failure"));
  const needed = await readRules(fields("success"));
  return [
    ...forbidden.map((rule) => ({
      ...{ kind: "rule" as const, rule, isForbidden: true, label: `failure ${rule.name}` },
      ...label,
    })),
    ...needed.map((rule) => ({ kind: "rule" as const, rule, ...label })),
  ];
}

/** Reads a setting that is required, unless the judge may be incomplete (`isPartial`). */
function needed<T>(field: Field, read: (field: Field) => T, { isPartial }: JudgeSource): T | undefined {
  return isPartial === true ? read(field) : required(field, read);
}

async function readScript(fields: FieldsByName, source: JudgeSource) {
  const field = fields("script_path");
  const path = await needed(field, (one) => readSkillPath(one, source.folder, "file"), source);
  const timeoutSeconds = readTimeout(fields("timeout_seconds")) ?? SCRIPT_TIMEOUT_SECONDS;
  const name = readScalar(field) ?? "";
  return path === undefined ? undefined : { kind: "script" as const, path, name, timeoutSeconds };
}

/** Reads a time limit. 0 means the default. */
function readTimeout(field: Field): number | undefined {
  const seconds = readInteger(field);
  if (seconds !== undefined && seconds < 0) return fail(field, "must not be negative");
  return seconds === 0 ? undefined : seconds;
}

async function readRubric(fields: FieldsByName, source: JudgeSource) {
  const { folder, engineWith } = source;
  const criteria = needed(fields("criteria"), readScalars, source) ?? [];
  if (Array.isArray(fields("criteria").value) && criteria.length === 0) fail(fields("criteria"), "must not be empty");
  const skills = await readJudgeSkills(fields("skills"), folder);
  const model = needed(fields("model"), readScalar, source);
  const { value: threshold = THRESHOLD } = fields("pass_threshold");
  const limit = threshold === null ? THRESHOLD : threshold;
  if (typeof limit !== "number" || limit < 0 || limit > 1)
    return fail(fields("pass_threshold"), "must be a number from 0 to 1");
  const context = await readContext(fields("context"), folder);
  const timeoutSeconds = readTimeout(fields("timeout_seconds"));
  if (model === undefined) return undefined;
  const engine = engineWith(model);
  const panel = {
    models: [{ model }],
    decision: "majority" as const,
    tie: "fail" as const,
    mayUseEngine: true,
    engine,
  };
  return {
    kind: "rubric" as const,
    label: "agent_judge",
    criteria: criteria.map((text) => ({ text, weight: 1, points: 1 })),
    threshold: limit,
    panel,
    timeoutSeconds,
    context,
    skills,
  };
}

const MODES = ["include", "truncate", "file_ref", "omit"] as const;
const LIST_MODES = ["index", "include", "omit"] as const;

/**
 * Reads the parts that the judge sees. Parts that skill-up passes as files are included here, up to the limit: the
 * judge has no workspace.
 */
async function readContext(field: Field, folder: SkillFolder): Promise<RubricContext> {
  const known = [
    "profile",
    "final_message",
    "transcript",
    "workspace_diff",
    "generated_files",
    "limits",
    "attachments",
  ];
  const fields: FieldsByName = readMap(field, known) ?? (() => ({ ...field, value: undefined }));
  const isMinimal = readOneOf(fields("profile"), ["standard", "minimal"]) === "minimal";
  const limits = readMap(fields("limits"), ["max_bytes", "transcript_max_turns", "workspace_diff_max_lines"]);
  const limitOf = (name: string): number | undefined =>
    limits === undefined ? undefined : readInteger(limits(name)) || undefined;
  const max = limitOf("max_bytes") ?? MAX_TEXT;
  const length = (name: string, otherwise: number): number => {
    const mode = readOneOf(fields(name), MODES);
    if (mode === undefined) return otherwise;
    return mode === "omit" ? 0 : mode === "truncate" ? Math.min(SHORT_TEXT, max) : max;
  };
  const list = readOneOf(fields("generated_files"), LIST_MODES) ?? (isMinimal ? "omit" : "index");
  const attachments: { label: string; path: string }[] = [];
  for (const entry of readList(fields("attachments"))) {
    const own = readMap(entry, ["path", "label"]);
    const path =
      own === undefined ? undefined : await required(own("path"), (one) => readSkillPath(one, folder, "file"));
    if (own !== undefined && path !== undefined)
      attachments.push({ label: readScalar(own("label")) ?? basename(path), path });
  }
  return {
    finalMessage: length("final_message", isMinimal ? Math.min(SHORT_TEXT, max) : max),
    transcript: length("transcript", isMinimal ? 0 : max),
    workspaceDiff: length("workspace_diff", isMinimal ? 0 : max),
    generatedFiles: list === "omit" ? 0 : max,
    transcriptMessages: limitOf("transcript_max_turns"),
    workspaceDiffLines: limitOf("workspace_diff_max_lines"),
    attachments,
  };
}
