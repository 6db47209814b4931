import { expect, test } from "vitest";
import { EngineError, messageOf, toEngineError } from "../index.ts";

const unprintable: readonly (readonly [string, unknown])[] = [
  ["without a prototype", Object.create(null)],
  [
    "whose toString throws",
    {
      toString() {
        throw new Error("no");
      },
    },
  ],
  [
    "whose message throws",
    Object.defineProperty(new Error("x"), "message", {
      get() {
        throw new Error("no");
      },
    }),
  ],
];

test("errors, strings and other thrown values have a message", () => {
  expect(messageOf(new TypeError("x is not a function"))).toBe("x is not a function");
  expect(messageOf("a text")).toBe("a text");
  expect(messageOf(undefined)).toBe("undefined");
  expect(messageOf(Symbol("mark"))).toBe("Symbol(mark)");
});

test.each(unprintable)("a value %s has a message like any other error", (_, thrown) => {
  expect(messageOf(thrown)).toBe("it threw something that cannot be printed");
  expect(EngineError.is(toEngineError(thrown), "internal.unexpected")).toBe(true);
});
