import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../index.ts";

async function problemOf(text: string): Promise<unknown> {
  try {
    await parseJson(text, "case.json");
    return undefined;
  } catch (error) {
    if (!EngineError.is(error, "input.malformed")) throw error;
    const { line, column, problem } = error.details;
    return { line, column, problem };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['{\n  "messages": [,]\n}', { line: 2, column: 16, problem: "a value" }],
  ['{"a": 1,}', { line: 1, column: 9, problem: "property name" }],
  ["{'a': 1}", { line: 1, column: 2, problem: "not a JSON value" }],
  ['{"a" 1}', { line: 1, column: 6, problem: "colon" }],
  ["[1 2]", { line: 1, column: 4, problem: "comma" }],
  ['{"a": "open', { line: 1, column: 7, problem: "not closed" }],
  ["", { line: 1, column: 1, problem: "value" }],
  ["null null", { line: 1, column: 6, problem: "more text follows" }],
  ["[\r\n  1,\r\n  oops\r\n]", { line: 3, column: 3, problem: "not a JSON value" }],
  ['{"a": 1} // no', { line: 1, column: 10, problem: "comments" }],
])("the error of %j has the right position", async (text, position) => {
  expect(await problemOf(text)).toEqual({ ...position, problem: expect.stringContaining(position.problem) });
});

test("only JSON is parsed, also with a byte order mark", async () => {
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n\t019.-+eEtrufalsn/'), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.json(), noise, fc.nat(), async (json, insert, at) => {
      const position = at % (json.length + 1);
      expect(await parseJson(`\uFEFF${json}`, "case.json")).toEqual(JSON.parse(json));
      const broken = json.slice(0, position) + insert + json.slice(position);
      expect((await problemOf(broken)) === undefined, broken).toBe(isJson(broken));
    }),
  );
});

test("nesting without end and a text of megabytes end in the same error", async () => {
  expect(await problemOf("[".repeat(200_000))).toBeDefined();
  expect(await problemOf(`["${"x".repeat(5_000_000)}`)).toMatchObject({ line: 1 });
});
