import { sessionResultSchema } from "@switchyard/contracts/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainResult } from "./is-plain-result.ts";

const CALL = { id: "1", name: "shell", arguments: "{}" };
const ANSWER = { call_id: "1", status: "ok", content: "", duration_ms: 0.5 };
const MESSAGE = { role: "assistant", content: "", turn: 1, tool_calls: [CALL], timestamp: "2026-01-01T00:00:00.000Z" };
const PLAIN = {
  ...{ exit_code: 0, final_message: "Done.", engine: "agent", model: "a/b", session_id: "s", stderr: "" },
  ...{ duration_ms: 1.5, turns: 1, input_tokens: 0, output_tokens: 2 },
  transcript: [{ role: "user", content: "Go." }, MESSAGE, { role: "tool", content: "", tool_result: ANSWER }],
};

test("the usual result is plain", () => {
  expect(isPlainResult(PLAIN)).toBe(true);
  expect(isPlainResult({ exit_code: 1, final_message: "" })).toBe(true);
});

/** Returns the paths of all values in a document. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return [[...path], ...Object.entries(value).flatMap(([key, field]) => pathsOf(field, [...path, key]))];
}

/** Returns a copy of a document with a value replaced or removed. */
function changed(value: unknown, [key, ...rest]: readonly string[], to: { value: unknown } | undefined): unknown {
  if (key === undefined) return to?.value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (name !== key) return [[name, field]];
    return rest.length === 0 && to === undefined ? [] : [[name, changed(field, rest, to)]];
  });
  return Array.isArray(value) ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}

const another = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 60, "tool", [{}], { more: 1 }),
);

test("a plain result is one that the schema accepts, unchanged", () => {
  const paths = pathsOf(PLAIN);
  let plain = 0;
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.option(another, { nil: "nothing" }), (path, value) => {
      const document = changed(PLAIN, path, value === "nothing" ? undefined : { value });
      if (!isPlainResult(document)) return;
      plain += 1;
      expect(sessionResultSchema.parse(document)).toEqual(document);
    }),
    { numRuns: 3_000 },
  );
  expect(plain).toBeGreaterThan(50);
});

test.each([
  ["an unknown field", { ...PLAIN, more: 1 }],
  ["artifacts", { ...PLAIN, artifacts: {} }],
  ["no last words", { exit_code: 0 }],
  ["an exit code that is no number", { ...PLAIN, exit_code: "0" }],
  ["a message with pictures", { ...PLAIN, transcript: [{ role: "user", content: "", images: [] }] }],
])("a result with %s is left to the schema", (_, result) => {
  expect(isPlainResult(result)).toBe(false);
});
