import { isRecord } from "../files/is-record.ts";
import type { Assertion, Criterion, JudgePanel, RubricAssertion, RubricContext } from "./eval-suite.ts";
import { type Field, fail, isAbsent, readAmount, readCount, readList, readMap, readText, required } from "./field.ts";
import { readPanel } from "./read-panel.ts";
import { readOneOf } from "./scalar-fields.ts";

/** Default share of the score that a rubric requires. */
const THRESHOLD = 0.7;

/** Maximum length of each text that judges see, in characters. */
const MAX_TEXT = 60_000;

const PARTS = ["final_message", "workspace_diff", "transcript"] as const;

/** Judges of an assertion if it names none: those of the evaluation file. */
export type DefaultPanel = JudgePanel | undefined;

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

/** A panel without judges. Its evaluation file has the problem that `judge` is missing. */
const NO_PANEL: JudgePanel = { models: [], decision: "majority", tie: "fail" };

/** Reads `rubric`: several weighted criteria. */
export function readRubric(field: Field, inherited: DefaultPanel): RubricAssertion | undefined {
  const fields = readMap(field, ["criteria", "pass_threshold", "judge", "evidence"]);
  if (fields === undefined) return undefined;
  const listed = fields("criteria");
  const entries = required(listed, readList) ?? [];
  if (Array.isArray(listed.value) && entries.length === 0) fail(listed, "must not be empty");
  const criteria = entries.map(readWeighted);
  const parts = readList(fields("evidence")).map((entry) => readOneOf(entry, PARTS));
  const shown = isAbsent(fields("evidence")) ? (["final_message", "workspace_diff"] as const) : parts;
  const panel = readPanel(fields("judge")) ?? inherited;
  return {
    kind: "rubric",
    criteria: criteria.filter((criterion) => criterion !== undefined),
    threshold: readThreshold(fields("pass_threshold")),
    panel: panel ?? NO_PANEL,
    context: contextOf(shown),
  };
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

function contextOf(parts: readonly ((typeof PARTS)[number] | undefined)[]): RubricContext {
  const length = (part: (typeof PARTS)[number]): number => (parts.includes(part) ? MAX_TEXT : 0);
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
