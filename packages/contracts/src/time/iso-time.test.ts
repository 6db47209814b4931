import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime } from "./iso-time.ts";

test("times are formatted as by the platform", () => {
  const known = [0, -1, 951_782_399_999, 951_782_400_000, 1_709_164_800_000, -62_167_219_200_000, 253_402_300_799_999];
  for (const ms of [...known, 1.9, -1.9, 8.64e15, -8.64e15]) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
  );
  // Most random times lie far outside of the years that people write.
  fc.assert(
    fc.property(fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 }), (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
  );
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1]) expect(() => isoTime(ms)).toThrow(RangeError);
});
