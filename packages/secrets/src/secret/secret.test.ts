import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createMasker, isSecret, REDACTED, secret } from "../index.ts";

const VALUE = "correct horse battery";

test("a secret exposes its value only through reveal", () => {
  expect(secret(VALUE).reveal()).toBe(VALUE);
});

test("a secret prints as the marker everywhere", () => {
  const wrapped = secret(VALUE);
  const printed = [
    String(wrapped),
    `${wrapped}`,
    "".concat(String(wrapped)),
    JSON.stringify({ wrapped }),
    JSON.stringify([wrapped]),
    inspect(wrapped),
    inspect({ deep: { er: [wrapped] } }, { depth: 9, showHidden: true }),
    String([wrapped]),
    wrapped.toString(),
  ];
  for (const text of printed) {
    expect(text).toContain(REDACTED);
    expect(text).not.toContain(VALUE);
  }
});

test("copying a secret copies no value", () => {
  const wrapped = secret(VALUE);
  expect({ ...wrapped }).toEqual({});
  expect(Object.getOwnPropertyNames(wrapped)).toEqual([]);
  expect(Object.entries(wrapped)).toEqual([]);
  expect(structuredClone(wrapped)).toEqual({});
  expect(JSON.stringify(Object.assign({}, wrapped))).toBe("{}");
});

test("a secret is immutable", () => {
  expect(Object.isFrozen(secret(VALUE))).toBe(true);
});

test("secrets are recognised, also those of another copy of the package", () => {
  const foreign = { [Symbol.for("switchyard.secret")]: true, reveal: () => VALUE };
  expect([secret(VALUE), foreign].map(isSecret)).toEqual([true, true]);
  expect([VALUE, null, undefined, {}, 7].map(isSecret)).toEqual([false, false, false, false, false]);
});

test("an unset value is rejected immediately, not printed as a marker", () => {
  const unset: string = JSON.parse("{}").password;
  expect(() => secret(unset)).toThrow("A secret is a string, not undefined.");
  expect(() => createMasker([unset])).toThrow("A secret is a string or made by secret(), not undefined.");
});
