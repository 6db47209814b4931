import { createMasker } from "@switchyard/secrets";
import { expect, test } from "vitest";
import type { RubricAssertion } from "../suite/eval-suite.ts";
import { checkRubric } from "./check-rubric.ts";

test("a judge sees the last messages of the transcript and the first lines of the changes, as limited", async () => {
  const questions: string[] = [];
  const rubric: RubricAssertion = {
    ...{ kind: "rubric", criteria: [{ text: "c", weight: 1, points: 1 }], threshold: 1 },
    panel: { models: [{ model: "a/m" }], decision: "majority", tie: "fail" },
    context: {
      ...{ finalMessage: 0, transcript: 1_000, workspaceDiff: 1_000, attachments: [] },
      ...{ transcriptMessages: 2, workspaceDiffLines: 2 },
    },
  };
  const transcript = ["one", "two", "three"].map((content) => ({ role: "user" as const, content }));
  const { outcome } = await checkRubric(rubric, {
    ...{ task: "t", finalMessage: "m", result: { exit_code: 0, final_message: "m", transcript } },
    ...{ workspaceDiff: "+1\n+2\n+3\n+4", masker: createMasker([]) },
    ...{ onJudged: () => undefined, signal: AbortSignal.timeout(10_000) },
    askJudge: () => async (prompt) => {
      questions.push(prompt.question);
      return { text: '{"results":[{"criterion_id":"c1","passed":true,"evidence":"e"}]}', usage: {} };
    },
  });
  expect(outcome).toBe("PASS");
  const { evidence } = JSON.parse(questions[0] ?? "{}");
  expect(evidence.map(({ title }: { title: string }) => title)).toEqual(["transcript", "workspace_diff"]);
  expect(evidence[0].text).not.toContain("one");
  expect(evidence[0].text).toContain("three");
  expect(evidence[1].text).toBe("+1\n+2\n[… 2 lines left out …]");
});
