import fc from "fast-check";
import { expect, test } from "vitest";
import { locateJsonError } from "./locate-json-error.ts";

test.each([
  ['{\n  "messages": [,]\n}', { line: 2, column: 16, problem: 'expected a value or `]`, found ","' }],
  ['{"a": 1,}', { line: 1, column: 9, problem: 'expected a property name in double quotes, found "}"' }],
  ['{"a" 1}', { line: 1, column: 6, problem: 'expected `:`, found "1"' }],
  ["[1 2]", { line: 1, column: 4, problem: 'expected `,` or `]`, found "2"' }],
  ['{"a": 1 "b": 2}', { line: 1, column: 9, problem: 'expected `,` or `}`, found "\\""' }],
  ['{"a": [1, 2', { line: 1, column: 12, problem: "expected `,` or `]`, the text ends" }],
  [
    '{"a": "open',
    { line: 1, column: 7, problem: "a text in quotes is not closed, or holds a line end or a bad escape" },
  ],
  ["{a: 1}", { line: 1, column: 2, problem: 'expected a property name in double quotes or `}`, found "a"' }],
  ["", { line: 1, column: 1, problem: "expected a value, the text ends" }],
  ["null null", { line: 1, column: 6, problem: 'expected the end of the text, found "n"' }],
  ["nul", { line: 1, column: 1, problem: 'expected a value, found "n"' }],
])("%s goes wrong where it does", (text, place) => {
  expect(locateJsonError(text)).toEqual(place);
});

test("agrees with JSON.parse on what is JSON", () => {
  const texts = ["01", "1.", "-", '"\u0001"', "[1,]", "{}}", '{"a":[1,-2.5e3,{"b":null}],"c":"\\u00e9\\n"}', " 1 "];
  for (const text of texts) expect([text, locateJsonError(text) === undefined]).toEqual([text, parses(text)]);
});

test("agrees with JSON.parse on JSON with a piece changed, and names a place inside of the text", () => {
  const edit = fc.record({
    at: fc.nat(200),
    cut: fc.nat(3),
    add: fc.constantFrom("", ",", "}", '"', "\\", "\n", "1", "x"),
  });
  fc.assert(
    fc.property(fc.json(), edit, (json, { at, cut, add }) => {
      const text = json.slice(0, at) + add + json.slice(at + cut);
      const place = locateJsonError(text);
      expect(place === undefined).toBe(parses(text));
      const line = text.split("\n")[(place?.line ?? 1) - 1];
      expect(line?.length).toBeGreaterThanOrEqual((place?.column ?? 1) - 1);
    }),
    { numRuns: 500 },
  );
});

test("a text of some megabytes is no problem", () => {
  const place = locateJsonError(`{"a": "${"x".repeat(5_000_000)}", }`);
  expect(place).toMatchObject({ line: 1, column: 5_000_011 });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
