import { readFile } from "node:fs/promises";
import { EngineError } from "@switchyard/contracts";
import type { Evidence, Finding } from "../assertion/evidence.ts";
import type { RubricAssertion } from "../suite/eval-suite.ts";
import { judgeRubric } from "./rubric-judge.ts";

const MS_PER_SECOND = 1_000;

/** Asks a judge to decide the criteria of a rubric. The assertion holds if enough of them are met. */
export async function checkRubric(rubric: RubricAssertion, evidence: Evidence): Promise<Finding> {
  const { criteria, threshold, timeoutSeconds } = rubric;
  const ask = await evidence.askJudge(rubric.model);
  const limit = timeoutSeconds === undefined ? [] : [AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND)];
  const signal = AbortSignal.any([evidence.signal, ...limit]);
  const material = { criteria, task: evidence.task, parts: await partsOf(rubric, evidence) };
  const verdict = await judgeRubric(ask, material, signal);
  evidence.onJudged(verdict.usage);
  const met = verdict.criteria.filter(({ passed }) => passed).length;
  const share = met / criteria.length;
  const output = verdict.criteria
    .map(({ criterion, passed, evidence: why }) => `${passed ? "PASS" : "FAIL"} ${criterion}\n     ${why}`)
    .join("\n");
  const count = `${met} of ${criteria.length} criteria are met`;
  if (share >= threshold) return { outcome: "PASS", reason: `${count}.`, output };
  const first = verdict.criteria.find(({ passed }) => !passed);
  const why = first === undefined ? "" : ` ${first.criterion}: ${first.evidence}`;
  return { outcome: "FAIL", reason: `${count}, fewer than the share ${threshold}.${why}`, output };
}

async function partsOf({ context }: RubricAssertion, evidence: Evidence) {
  const { finalMessage, result, workspaceDiff, masker } = evidence;
  const parts = [
    { title: "Final message", text: cut(finalMessage, context.finalMessage) },
    { title: "Transcript", text: cut(JSON.stringify(result?.transcript ?? [], undefined, 1), context.transcript) },
    { title: "Changes to the workspace", text: cut(workspaceDiff ?? "", context.workspaceDiff) },
  ];
  for (const { label, path } of context.attachments) {
    const text = await readFile(path, "utf8").catch((cause: unknown) => {
      throw new EngineError("config.invalid", { field: path, problem: "the attachment cannot be read." }, { cause });
    });
    parts.push({ title: label, text });
  }
  return parts.filter(({ text }) => text !== "").map(({ title, text }) => ({ title, text: masker.mask(text) }));
}

function cut(text: string, length: number): string {
  if (length === 0) return "";
  return text.length <= length ? text : `${text.slice(0, length)}\n[… ${text.length - length} characters left out …]`;
}
