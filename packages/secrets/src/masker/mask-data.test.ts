import fc from "fast-check";
import { expect, test } from "vitest";
import { createMasker, REDACTED, secret } from "../index.ts";

const VALUE = "hunter2-hunter2";
const masker = createMasker([VALUE]);

test("texts and keys of plain data are masked at every depth", () => {
  expect(masker.maskData({ a: [{ b: `x ${VALUE}` }], [VALUE]: 1, c: null, d: 2, e: true })).toEqual({
    a: [{ b: `x ${REDACTED}` }],
    [REDACTED]: 1,
    c: null,
    d: 2,
    e: true,
  });
  expect(masker.maskData(VALUE)).toBe(REDACTED);
});

test("keys that become equal are both preserved", () => {
  expect(masker.maskData({ [VALUE]: 1, [`${btoa(VALUE)}`]: 2 })).toEqual({ [REDACTED]: 1, [`${REDACTED} (2)`]: 2 });
});

test("data without secrets is returned as the same object", () => {
  const data = { a: [1, { b: "text" }], when: new Date(0) };
  expect(masker.maskData(data)).toBe(data);
});

test("a masker without values returns the data, and still hides wrapped secrets", () => {
  const empty = createMasker([]);
  const data = { a: [1, { b: "text" }] };
  expect(empty.maskData(data)).toBe(data);
  expect(empty.maskData({ wrapped: secret("other") })).toEqual({ wrapped: REDACTED });
  expect(empty.mask("text") + empty.stream().write("text")).toBe("texttext");
});

test("the original is not modified", () => {
  const data = Object.freeze({ a: Object.freeze([VALUE]) });
  expect(masker.maskData(data)).toEqual({ a: [REDACTED] });
  expect(data).toEqual({ a: [VALUE] });
});

test("wrapped secrets, errors, maps and sets expose nothing", () => {
  const error = new Error(`failed with ${VALUE}`, { cause: new Error(VALUE) });
  const masked: unknown = masker.maskData({
    error,
    wrapped: secret("other"),
    map: new Map([[VALUE, VALUE]]),
    set: new Set([VALUE]),
  });
  expect(JSON.stringify(masked)).not.toContain(VALUE);
  expect(masked).toMatchObject({
    error: { name: "Error", message: `failed with ${REDACTED}` },
    wrapped: REDACTED,
    map: { [REDACTED]: REDACTED },
    set: [REDACTED],
  });
});

test("circular and very deep data is masked without infinite recursion", () => {
  const circular: Record<string, unknown> = { secret: VALUE };
  circular["self"] = circular;
  const masked: Record<string, unknown> = masker.maskData(circular);
  expect(masked["secret"]).toBe(REDACTED);
  expect(masked["self"]).toBe(masked);
  let deep: unknown = VALUE;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(String(masker.maskData({ deep })["deep"])).not.toContain(VALUE);
});

test("a field named __proto__ stays an own field", () => {
  const masked: object = masker.maskData(JSON.parse(`{"__proto__": {"a": "${VALUE}"}, "b": 1}`));
  expect(JSON.stringify(masked)).toBe(`{"__proto__":{"a":"${REDACTED}"},"b":1}`);
  expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
});

test("masked JSON equals the JSON of masked data", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const data = { value, secret: `<${VALUE}>` };
      expect(JSON.stringify(masker.maskData(data))).toBe(masker.mask(JSON.stringify(data)));
    }),
  );
});
