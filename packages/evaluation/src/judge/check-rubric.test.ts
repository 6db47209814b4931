import { createMasker } from "@switchyard/secrets";
import { expect, test } from "vitest";
import type { RubricAssertion, RubricContext } from "../suite/eval-suite.ts";
import { checkRubric } from "./check-rubric.ts";

/** Returns the evidence that a judge of a session receives. */
async function evidenceFor(
  context: Omit<RubricContext, "attachments">,
): Promise<readonly { readonly title: string; readonly text: string }[]> {
  const questions: string[] = [];
  const rubric: RubricAssertion = {
    ...{ kind: "rubric", criteria: [{ text: "c", weight: 1, points: 1 }], threshold: 1 },
    panel: { models: [{ model: "a/m" }], decision: "majority", tie: "fail" },
    context: { ...context, attachments: [] },
  };
  const transcript = ["one", "two", "three"].map((content) => ({ role: "user" as const, content }));
  const artifacts = { generated_files: ["out/a.md", "out/b.md"] };
  const { outcome } = await checkRubric(rubric, {
    ...{ task: "t", finalMessage: "m", result: { exit_code: 0, final_message: "m", transcript, artifacts } },
    ...{ workspaceDiff: "+1\n+2\n+3\n+4", masker: createMasker([]) },
    ...{ onJudged: () => undefined, signal: AbortSignal.timeout(10_000) },
    askJudge: () => async (prompt) => {
      questions.push(prompt.question);
      return { text: '{"results":[{"criterion_id":"c1","passed":true,"evidence":"e"}]}', usage: {} };
    },
  });
  expect(outcome).toBe("PASS");
  return JSON.parse(questions[0] ?? "{}").evidence ?? [];
}

test("a judge sees the last messages of the transcript and the first lines of the changes, as limited", async () => {
  const evidence = await evidenceFor({
    ...{ finalMessage: 0, transcript: 1_000, workspaceDiff: 1_000 },
    ...{ transcriptMessages: 2, workspaceDiffLines: 2 },
  });
  expect(evidence.map(({ title }) => title)).toEqual(["transcript", "workspace_diff"]);
  expect(evidence[0]?.text).not.toContain("one");
  expect(evidence[0]?.text).toContain("three");
  expect(evidence[1]?.text).toBe("+1\n+2\n[… 2 lines left out …]");
});

test("a judge sees the paths of generated files if the context includes them", async () => {
  const without = { finalMessage: 10, transcript: 0, workspaceDiff: 0 };
  expect(await evidenceFor(without)).toMatchObject([{ title: "final_message" }]);
  const [, list] = await evidenceFor({ ...without, generatedFiles: 1_000 });
  expect(list).toEqual({ title: "generated_files", text: "out/a.md\nout/b.md" });
});
