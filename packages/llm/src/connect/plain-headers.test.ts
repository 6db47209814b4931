import fc from "fast-check";
import { expect, test } from "vitest";
import { PlainHeaders } from "./plain-headers.ts";

const NAME = fc.constantFrom("a", "A-b", "set-cookie", "Set-Cookie", "content-type", "constructor", "__proto__", "zz");
const VALUE = fc.string({ unit: fc.constantFrom("x", "Y", " ", "\t", ",", ";", "="), maxLength: 6 });
const CHANGE = fc.record({ act: fc.constantFrom("append", "set", "delete"), name: NAME, value: VALUE } as const);

/** All that can be asked of headers. */
function answers(headers: Headers, names: readonly string[]): unknown {
  const results: unknown[] = [];
  headers.forEach((value, name, of) => {
    results.push([name, value, of === headers]);
  });
  headers.forEach(function (this: unknown) {
    results.push(this);
  }, results.length);
  return {
    told: results,
    listed: [...headers],
    entries: [...headers.entries()],
    keys: [...headers.keys()],
    values: [...headers.values()],
    cookies: headers.getSetCookie(),
    reads: names.map((name) => [headers.get(name), headers.has(name)]),
  };
}

test("headers have the same content as those of fetch, after any operations", () => {
  const names = ["a", "A", "SET-COOKIE", "Constructor", "__proto__", "zz", "nobody"];
  const inputs = fc.array(fc.tuple(NAME, VALUE), { maxLength: 5 });
  fc.assert(
    fc.property(inputs, fc.array(CHANGE, { maxLength: 6 }), (pairs, changes) => {
      const [ours, theirs] = [new PlainHeaders(pairs), new Headers(pairs)];
      for (const headers of [ours, theirs]) {
        for (const { act, name, value } of changes) headers[act](name, value);
      }
      expect(answers(ours, names)).toEqual(answers(theirs, names));
    }),
  );
});

test("headers are created from an object, a list or other headers", () => {
  const object = { "X-One": "1", "x-two": " 2 " };
  for (const input of [object, Object.entries(object), new Headers(object), new PlainHeaders(object)]) {
    expect([...new PlainHeaders(input)]).toEqual([
      ["x-one", "1"],
      ["x-two", "2"],
    ]);
  }
  expect([...new PlainHeaders()]).toEqual([]);
});
