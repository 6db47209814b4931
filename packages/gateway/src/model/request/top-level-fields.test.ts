import fc from "fast-check";
import { expect, test } from "vitest";
import { visitTopLevelFields } from "./top-level-fields.ts";

test("the fields of any object are found, with the position of their values", () => {
  const space = fc.constantFrom("", " ", "\n\t ");
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(object, space, (value, indent) => {
      const text = `${indent}${JSON.stringify(value, undefined, indent)}${indent}`;
      const found: [string, unknown][] = [];
      visitTopLevelFields(text, (name, { start, end }) => found.push([name, JSON.parse(text.slice(start, end))]));
      const parsed: object = JSON.parse(text);
      expect(found).toEqual(Object.entries(parsed));
    }),
  );
});

test("a name that occurs twice is visited twice", () => {
  const found: string[] = [];
  visitTopLevelFields('{"a":"{\\"a\\":1}","b":[{"a":1}],"\\u0061":2}', (name) => found.push(name));
  expect(found).toEqual(["a", "b", "a"]);
});
