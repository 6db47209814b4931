import fc from "fast-check";
import { expect, test } from "vitest";
import { findSequence } from "./find-sequence.ts";

test("finds the same as an exhaustive search", () => {
  const list = (maxLength: number) => fc.array(fc.constantFrom("a", "b", ""), { maxLength });
  fc.assert(
    fc.property(list(20), list(5), fc.nat(22), (entries, wanted, from) => {
      const positions = entries.map((_, index) => index).concat(entries.length);
      const found = positions.find((at) => at >= from && wanted.every((entry, index) => entries[at + index] === entry));
      expect(findSequence(entries, wanted, from)).toBe(found);
    }),
  );
});
