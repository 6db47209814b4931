import { readFile } from "node:fs/promises";
import { EngineError, type SessionResult } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { AssertionResult, JudgeVerdict } from "../results/trial-result.ts";
import type { RubricAssertion } from "../suite/eval-suite.ts";
import type { JudgedWork } from "./judge-criteria.ts";
import { type Judges, judgeRubric } from "./judge-rubric.ts";

/** A session that is assessed by judges, and access to these judges. */
export interface JudgedSession extends Judges {
  /** Task given to the engine. */
  readonly task: string;
  /** Final message of the engine. */
  readonly finalMessage: string;
  /** Result of the engine. */
  readonly result: SessionResult | undefined;
  /** Unified diff of the workspace changes. `undefined` if unknown. */
  readonly workspaceDiff?: string | undefined;
  /** Masks secrets in the texts that judges receive. */
  readonly masker: Masker;
}

/** Asks the judges of a rubric. Rejects with `config.invalid` if an attachment cannot be read. */
export async function checkRubric(
  rubric: RubricAssertion,
  session: JudgedSession,
): Promise<Omit<AssertionResult, "kind" | "expected" | "judge">> {
  const task = session.masker.mask(session.task);
  const work: JudgedWork = { criteria: rubric.criteria, task, parts: await partsOf(rubric, session) };
  const { skills = [] } = rubric;
  const { outcome, reason, score, verdicts } = await judgeRubric(rubric, work, session);
  const output = printVerdicts(verdicts);
  return {
    outcome,
    reason,
    ...(score === undefined ? {} : { score }),
    verdicts,
    ...(skills.length === 0 ? {} : { judge_skills: skills.map(({ name, source }) => ({ name, source })) }),
    ...(output === "" ? {} : { output }),
  };
}

function printVerdicts(verdicts: readonly JudgeVerdict[]): string {
  const blocks = verdicts.map(({ model, outcome, reason, criteria }) => {
    const heading = verdicts.length === 1 ? [] : [`${model}: ${outcome}${reason === undefined ? "" : ` ${reason}`}`];
    return [...heading, ...criteria.map(printScore)];
  });
  return blocks.flat().join("\n");
}

function printScore({ criterion, score, reason }: JudgeVerdict["criteria"][number]): string {
  const mark = score === 1 ? "PASS" : score === 0 ? "FAIL" : `${Math.round(score * 100)} %`;
  return `${mark} ${criterion}\n     ${reason}`;
}

async function partsOf({ context }: RubricAssertion, session: JudgedSession): Promise<JudgedWork["parts"]> {
  const { finalMessage, result, workspaceDiff, masker } = session;
  const messages = (result?.transcript ?? []).slice(-(context.transcriptMessages ?? 0));
  const transcript = JSON.stringify(messages, undefined, 1);
  const diff = firstLines(workspaceDiff ?? "", context.workspaceDiffLines ?? Number.POSITIVE_INFINITY);
  const generated = (result?.artifacts?.generated_files ?? []).join("\n");
  const all = [
    { title: "final_message", text: finalMessage, length: context.finalMessage },
    { title: "transcript", text: transcript, length: context.transcript },
    { title: "workspace_diff", text: diff, length: context.workspaceDiff },
    { title: "generated_files", text: generated, length: context.generatedFiles ?? 0 },
  ];
  // Masks before shortening, because the masker does not recognise a truncated secret.
  const parts = all.map(({ title, text, length }) => ({ title, text: shorten(masker.mask(text), length) }));
  for (const { label, path } of context.attachments) {
    const text = await readFile(path, "utf8").catch((cause: unknown) => {
      throw new EngineError("config.invalid", { field: path, problem: "the attachment cannot be read." }, { cause });
    });
    parts.push({ title: label, text: masker.mask(text) });
  }
  return parts.filter(({ text }) => text !== "");
}

function firstLines(text: string, count: number): string {
  const lines = text.split("\n");
  return lines.length <= count
    ? text
    : [...lines.slice(0, count), `[… ${lines.length - count} lines left out …]`].join("\n");
}

/** Shortens a text in the middle, because beginning and end matter most. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  if (length === 0) return "";
  const half = Math.floor(length / 2);
  return `${text.slice(0, half)}\n[… ${text.length - length} characters left out …]\n${text.slice(-half)}`;
}
