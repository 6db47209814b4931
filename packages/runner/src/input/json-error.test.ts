import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "./json-error.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("the place of an error is that of the first character that cannot be", () => {
  const cases: [text: string, line: number, column: number, problem: RegExp][] = [
    ["", 1, 1, /too early/],
    ['{\n  "a": 1,\n  "b": ]\n}', 3, 8, /expected a value, found "]"/],
    ['{"a": 1,}', 1, 9, /expected a name in double quotes/],
    ["{'a': 1}", 1, 2, /double quotes/],
    ["[1, 2", 1, 6, /too early/],
    ["[1 2]", 1, 4, /expected `,` or `]`/],
    ['{"a" 1}', 1, 6, /expected `:`/],
    ['{"a": 1} x', 1, 10, /behind the end/],
    ['"tab\there"', 1, 5, /control character/],
    ['"\\x41"', 1, 2, /escape/],
    ['"open', 1, 6, /inside of a string/],
    ["[01]", 1, 3, /expected `,` or `]`, found "1"/],
    ["[NaN]", 1, 2, /found "N"/],
    ['["😀", 😀]', 1, 8, /found "😀"/],
    ["[\r\n  1,\r\n  oops\r\n]", 3, 3, /found "o"/],
  ];
  for (const [text, line, column, problem] of cases) {
    expect(findJsonError(text), text).toEqual({ line, column, problem: expect.stringMatching(problem) });
  }
});

test("it agrees with the platform about what is JSON, for values and for broken ones", () => {
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n\t019.-+eEtrufalsn/'), maxLength: 40 });
  fc.assert(
    fc.property(fc.json(), noise, fc.tuple(fc.nat(), fc.nat(20)), (json, insert, [at, length]) => {
      const place = at % (json.length + 1);
      const broken = json.slice(0, place) + insert + json.slice(place + length);
      for (const text of [json, insert, broken]) expect(findJsonError(text) === undefined, text).toBe(isJson(text));
    }),
    { numRuns: 2_000 },
  );
});

test("neither deep nesting nor a long text overflows the stack", () => {
  expect(findJsonError("[".repeat(200_000))).toMatchObject({ line: 1, column: 200_001 });
  expect(findJsonError(`["${"x".repeat(5_000_000)}`)).toMatchObject({ problem: expect.stringContaining("string") });
});
