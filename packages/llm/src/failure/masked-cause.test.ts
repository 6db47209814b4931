import { inspect } from "node:util";
import { expect, test } from "vitest";
import { maskedCause } from "./masked-cause.ts";

const mask = (text: string): string => text.replaceAll("topsecret", "***");

test("each error of the chain keeps its kind, its code, its stack and a short masked message", () => {
  const inner = Object.assign(new Error(`read topsecret ${"x".repeat(1000)}`), { code: "ECONNRESET" });
  const cause = maskedCause(new TypeError("fetch failed", { cause: inner }), mask);
  expect(cause).toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { name: "Error", code: "ECONNRESET" },
  });
  expect(cause.stack).toContain("masked-cause.test.ts");
  expect(inspect(cause, { depth: 10 })).not.toContain("topsecret");
  expect(inspect(cause.cause).length).toBeLessThan(3000);
});

test("other properties of an error are dropped", () => {
  const error = Object.assign(new Error("refused"), { responseBody: "topsecret", headers: { "x-key": "topsecret" } });
  expect(inspect(maskedCause(error, mask), { depth: 10, showHidden: true })).not.toContain("topsecret");
});

test("a value that is not an error is reported in one masked line", () => {
  expect(maskedCause({ type: "overloaded", key: "topsecret" }, mask).message).toBe('{"type":"overloaded","key":"***"}');
  expect(maskedCause("topsecret", mask).message).toBe("***");
  expect(maskedCause(undefined, mask).message).toBe("undefined");
});
