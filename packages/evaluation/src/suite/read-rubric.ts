import { basename, resolve } from "node:path";
import { isRecord } from "../files/is-record.ts";
import { readJudgeSkills } from "../skill-up/read-skills.ts";
import type { Assertion, Criterion, JudgePanel, RubricAssertion, RubricContext } from "./eval-suite.ts";
import { type Field, fail, isAbsent, readAmount, readCount, readList, readMap, readText, required } from "./field.ts";
import { checkFile } from "./parse-files.ts";
import { readName } from "./read-name.ts";
import { readPanel } from "./read-panel.ts";
import { readOneOf } from "./scalar-fields.ts";

/** Default score that a rubric requires, from 0 to 1. */
const THRESHOLD = 0.7;

/** Maximum length of each text that judges see, in characters. */
const MAX_TEXT = 60_000;

const PARTS = ["final_message", "workspace_diff", "transcript"] as const;

/** Judges that the evaluation file names for all its assertions. They decide those that name no judges of their own. */
export type DefaultPanel = JudgePanel | undefined;

/** Settings that rubrics share. */
interface RubricDefaults {
  readonly panel: DefaultPanel;
  /** Folder of the suite file. */
  readonly directory: string;
}

/** Reads `judge`: one criterion that must be met. */
export function readCriterion(field: Field, panel: DefaultPanel): RubricAssertion | undefined {
  const text = readText(field);
  if (text === undefined) return undefined;
  return {
    kind: "rubric",
    label: "judge",
    criteria: [{ text, weight: 1, points: 1 }],
    threshold: 1,
    panel: panel ?? NO_PANEL,
    context: contextOf(["final_message", "workspace_diff"]),
  };
}

/**
 * A panel without judges, for an evaluation file in which `judge` is missing. The missing field is reported elsewhere.
 */
const NO_PANEL: JudgePanel = { models: [], decision: "majority", tie: "fail" };

/** Reads `rubric`: several weighted criteria. */
export async function readRubric(
  field: Field,
  { panel: inherited, directory }: RubricDefaults,
): Promise<RubricAssertion | undefined> {
  const known = ["id", "criteria", "pass_threshold", "judge", "evidence", "attachments", "max_characters", "skills"];
  const fields = readMap(field, known);
  if (fields === undefined) return undefined;
  const listed = fields("criteria");
  const entries = required(listed, readList) ?? [];
  if (Array.isArray(listed.value) && entries.length === 0) fail(listed, "must not be empty");
  const criteria = entries.map(readWeighted);
  const parts = readList(fields("evidence")).map((entry) => readOneOf(entry, PARTS));
  const shown = isAbsent(fields("evidence")) ? (["final_message", "workspace_diff"] as const) : parts;
  const panel = (await readPanel(fields("judge"), directory)) ?? inherited;
  const skills = await readJudgeSkills(fields("skills"), { root: directory, evals: directory, isSkill: false });
  if (skills.length > 0 && panel !== undefined && panel.engine === undefined)
    fail(fields("skills"), "needs judge.engine: a model that is called directly cannot read skills");
  const id = readName(fields("id"));
  const attachments = await readAttachments(fields("attachments"), directory);
  return {
    kind: "rubric",
    criteria: criteria.filter((criterion) => criterion !== undefined),
    threshold: readThreshold(fields("pass_threshold")),
    panel: panel ?? NO_PANEL,
    context: { ...contextOf(shown, readCount(fields("max_characters"), 1)), attachments },
    ...(id === undefined ? {} : { judge: id }),
    ...(skills.length === 0 ? {} : { skills }),
  };
}

/** Reads files that judges see: paths, or maps with a path and a label. */
async function readAttachments(field: Field, directory: string): Promise<RubricContext["attachments"]> {
  const attachments: { label: string; path: string }[] = [];
  for (const entry of readList(field)) {
    const fields = isRecord(entry.value) ? readMap(entry, ["path", "label"]) : undefined;
    const named = fields === undefined ? entry : fields("path");
    const name = required(named, readText);
    const path = name === undefined ? undefined : await checkFile(named, resolve(directory, name));
    const label = fields === undefined ? undefined : readText(fields("label"));
    if (name !== undefined && path !== undefined) attachments.push({ label: label ?? basename(name), path });
  }
  return attachments;
}

function readWeighted(field: Field): Criterion | undefined {
  if (!isRecord(field.value)) {
    const text = required(field, readText);
    return text === undefined ? undefined : { text, weight: 1, points: 1 };
  }
  const fields = readMap(field, ["text", "weight", "points"]);
  const text = fields === undefined ? undefined : required(fields("text"), readText);
  if (fields === undefined || text === undefined) return undefined;
  return { text, weight: readAmount(fields("weight")) ?? 1, points: readCount(fields("points"), 1) ?? 1 };
}

function readThreshold(field: Field): number {
  const { value } = field;
  if (isAbsent(field)) return THRESHOLD;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  fail(field, "must be a number from 0 to 1");
  return THRESHOLD;
}

function contextOf(parts: readonly ((typeof PARTS)[number] | undefined)[], most: number = MAX_TEXT): RubricContext {
  const length = (part: (typeof PARTS)[number]): number => (parts.includes(part) ? most : 0);
  return {
    finalMessage: length("final_message"),
    transcript: length("transcript"),
    workspaceDiff: length("workspace_diff"),
    attachments: [],
  };
}

/** True if an assertion needs judges, and neither it nor the evaluation file names any. */
export function isUnjudged(assertion: Assertion): boolean {
  return assertion.kind === "rubric" && assertion.panel === NO_PANEL;
}
