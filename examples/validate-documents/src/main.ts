// Validates a SessionInput before it is used, and prints its problems.
import assert from "node:assert/strict";
import { EngineError } from "@switchyard/contracts";
import { sessionInputSchema } from "@switchyard/contracts/schemas";

/** Returns the problems of a document, one per line. Empty if the document is valid. */
function problemsOf(document: unknown): string[] {
  const parsed = sessionInputSchema.safeParse(document);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

const good = { messages: [{ role: "user", content: "Fix the failing test." }], kwargs: { profile: "strict" } };
const bad = { messages: [{ role: "robot", content: "Fix it." }], max_turns: -1 };

assert.deepEqual(problemsOf(good), []);
const problems = problemsOf(bad);
assert.equal(problems.length, 2);

const error = new EngineError("input.invalid", {
  path: "case.json",
  expected: "SessionInput",
  problem: problems.join("; "),
});
console.log(error.message);
console.log(error.remedy);
