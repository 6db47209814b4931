// Checks a SessionInput before it is handed in, and explains what is wrong.
import assert from "node:assert/strict";
import { EngineError } from "@switchyard/contracts";
import { sessionInputSchema } from "@switchyard/contracts/schemas";

/** What is wrong with a document, a line per problem; empty when nothing is. */
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
