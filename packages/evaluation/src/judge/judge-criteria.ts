import { isRecord } from "../files/is-record.ts";
import { askForDecision } from "../model/ask-for-decision.ts";
import type { AskModel, EvalPrompt } from "../model/ask-model.ts";
import type { Criterion } from "../suite/eval-suite.ts";
import { UNTRUSTED_EVIDENCE } from "./untrusted-evidence.ts";

/** Score of one criterion. */
export interface CriterionScore {
  /** Text of the criterion. */
  readonly criterion: string;
  /** Share of the criterion's points, from 0 to 1. */
  readonly score: number;
  /** What the judge saw. */
  readonly reason: string;
}

/** Work that a judge assesses. */
export interface JudgedWork {
  readonly criteria: readonly Criterion[];
  /** Task given to the engine. */
  readonly task: string;
  /** Parts of the session by title, already shortened and masked. */
  readonly parts: readonly { readonly title: string; readonly text: string }[];
}

/** Asks a judge to score criteria. Rejects with `llm.no_object` if two responses in a row cannot be used. */
export async function judgeCriteria(ask: AskModel, work: JudgedWork, signal: AbortSignal): Promise<CriterionScore[]> {
  const parse = (value: unknown): CriterionScore[] => readScores(value, work.criteria);
  return askForDecision(ask, promptOf(work), { subject: "the judge", parse, signal });
}

function promptOf({ criteria, task, parts }: JudgedWork): EvalPrompt {
  const instructions = [
    "You decide whether the work of a coding agent meets each of the criteria below.",
    ...UNTRUSTED_EVIDENCE,
    "A criterion is met only if the evidence shows it. Claims of the agent about its own work are not evidence.",
    "",
    "## Criteria",
    ...criteria.map(({ text, points }, index) => {
      const scale = points === 1 ? "" : ` (0 to ${points} points)`;
      return `${index + 1}. ${text}${scale}`;
    }),
    "",
    "## Required Response Format",
    "One JSON object and nothing else, with one entry for each criterion, in the same order. `evidence` says in one or",
    "two sentences what decided it.",
    `{"results": [${criteria.map(exampleOf).join(", ")}]}`,
  ];
  return { instructions: instructions.join("\n"), question: JSON.stringify({ task, evidence: parts }, undefined, 1) };
}

function exampleOf({ points }: Criterion, index: number): string {
  const score = points === 1 ? '"passed": true' : `"points": ${points}`;
  return `{"criterion_id": "c${index + 1}", ${score}, "evidence": "…"}`;
}

function readScores(value: unknown, criteria: readonly Criterion[]): CriterionScore[] {
  const results: unknown = isRecord(value) ? value["results"] : undefined;
  if (!Array.isArray(results)) throw new Error("it is not a JSON object with results");
  if (results.length !== criteria.length) throw new Error(`it has ${results.length} of ${criteria.length} results`);
  const entries: unknown[] = results;
  return criteria.map(({ text, points }, index) => {
    const id = `c${index + 1}`;
    const entry = entries.find((one) => isRecord(one) && one["criterion_id"] === id) ?? entries[index];
    if (!isRecord(entry)) throw new Error(`the result ${id} is not an object`);
    const { evidence } = entry;
    if (typeof evidence !== "string" || evidence.trim() === "") throw new Error(`the result ${id} has no evidence`);
    return { criterion: text, score: readScore(entry, points, id), reason: evidence };
  });
}

function readScore(entry: Readonly<Record<string, unknown>>, points: number, id: string): number {
  const { passed, points: given } = entry;
  if (points === 1) {
    if (typeof passed === "boolean") return passed ? 1 : 0;
    throw new Error(`the result ${id} has no passed`);
  }
  if (typeof given !== "number" || !Number.isInteger(given) || given < 0 || given > points)
    throw new Error(`the result ${id} must have points, a whole number from 0 to ${points}`);
  return given / points;
}
