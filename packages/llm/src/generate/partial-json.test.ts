import fc from "fast-check";
import { expect, test } from "vitest";
import { createPartialJson } from "./partial-json.ts";

function partialOf(...pieces: string[]): unknown {
  const partial = createPartialJson();
  for (const piece of pieces) partial.add(piece);
  return partial.value();
}

test.each([
  ["", undefined],
  ["Here it is: ", undefined],
  ["```json\n{", {}],
  ['{"na', {}],
  ['{"name"', {}],
  ['{"name": ', {}],
  ['{"name": "A', { name: "A" }],
  ['{"name": "A\\', { name: "A" }],
  ['{"name": "A\\u00', { name: "A" }],
  ['{"name": "A\\u00e9', { name: "Aé" }],
  ['{"n": 12', {}],
  ['{"n": 12,', { n: 12 }],
  ['{"ok": tru', {}],
  ['{"ok": true}', { ok: true }],
  ['[1, [2, {"a": ["x', [1, [2, { a: ["x"] }]]],
  ['{"a": {}, "b": [], "c', { a: {}, b: [] }],
  ['{"a": 1} and more {', { a: 1 }],
  ["[}", undefined],
  ['{"a" 1, 2', undefined],
])("of %j is known: %j", (text, known) => {
  expect(partialOf(text)).toEqual(known);
});

/** Returns whether a value is a correct partial result for the beginning of a text. */
function isPartOf(part: unknown, complete: unknown): boolean {
  if (typeof part === "string" && typeof complete === "string") return complete.startsWith(part);
  if (Array.isArray(part) && Array.isArray(complete)) {
    return part.length <= complete.length && part.every((entry, index) => isPartOf(entry, complete[index]));
  }
  if (typeof part === "object" && part !== null && typeof complete === "object" && complete !== null) {
    return Object.entries(part).every(([name, value]) => isPartOf(value, Reflect.get(complete, name)));
  }
  return Object.is(part, complete);
}

test("for any value and any position of the break, a part of it is returned, and at the end all of it", () => {
  const root = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  fc.assert(
    fc.property(root, fc.nat(), fc.boolean(), (written, at, isPretty) => {
      const text = JSON.stringify(written, null, isPretty ? 2 : 0);
      const complete: unknown = JSON.parse(text);
      const cut = at % (text.length + 1);
      const known = partialOf(text.slice(0, cut));
      if (cut > 0) expect(known).toBeDefined();
      if (cut > 0 && !/[\ud800-\udfff]|\\ud/.test(text)) expect(isPartOf(known, complete)).toBe(true);
      expect(partialOf(text.slice(0, cut), text.slice(cut))).toEqual(complete);
    }),
    { numRuns: 500 },
  );
});

test("invalid text is never more than unknown", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", "1", "t", " ", "u"), { maxLength: 40 }),
      (parts) => {
        expect(() => partialOf(...parts)).not.toThrow();
      },
    ),
  );
});
