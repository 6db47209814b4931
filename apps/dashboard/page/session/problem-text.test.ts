import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { problemText } from "./problem-text.ts";

test("a request error says what failed and what to do, in sentences with full stops", () => {
  const error = new EngineError("checkpoint.corrupt", {
    path: "checkpoints/1.json",
    problem: "the checksum does not match",
  });
  expect(problemText(error)).toMatch(/the checksum does not match\. [A-Z][^.]+/);
  expect(problemText(new EngineError("server.draining", {}))).toMatch(/^The server is shutting down\. Try again/);
  expect(problemText(new Error("It broke."))).toBe("It broke.");
});
