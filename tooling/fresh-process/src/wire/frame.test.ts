import fc from "fast-check";
import { expect, test } from "vitest";
import { FrameReader, toFrame } from "./frame.ts";

test("values are decoded, wherever their bytes are split", () => {
  const values = fc.array(fc.oneof(fc.string(), fc.jsonValue(), fc.uint8Array()));
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), (sent, size) => {
      const bytes = Buffer.concat(sent.map(toFrame));
      const reader = new FrameReader();
      const found: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...reader.read(bytes.subarray(at, at + size)));
      expect(found).toEqual(sent);
    }),
  );
});
