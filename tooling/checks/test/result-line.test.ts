import { findResult, isResultLine, renderResultLine } from "@switchyard/suite/result-line";
import { expect, test } from "vitest";

test("a result survives being written to a log and read again", () => {
  const result = {
    passed: 3,
    failed: 1,
    skipped: [{ name: "runs in a container", reason: "no container engine" }],
    slowest: [{ name: "a.test.ts", durationMs: 7 }],
  };
  expect(findResult(["noise", renderResultLine(result), "more noise"])).toEqual(result);
});

test("the last result of a log counts", () => {
  const [first, last] = [1, 2].map((passed) => renderResultLine({ passed, failed: 0, skipped: [] }));
  expect(findResult([first ?? "", last ?? ""])?.passed).toBe(2);
});

test("a log without a result line has no result, and a damaged result line throws", () => {
  expect(findResult(["all good"])).toBeUndefined();
  expect(() => findResult(['#result {"passed":1}'])).toThrow("failed");
  expect(isResultLine("all good")).toBe(false);
});
