import fc from "fast-check";
import { expect, test } from "vitest";
import { type Splice, spliceBytes } from "./splice-bytes.ts";

const part = fc.record({
  unchanged: fc.string({ maxLength: 5 }),
  old: fc.string({ maxLength: 5 }),
  inserted: fc.string({ maxLength: 5 }),
});

test("ranges are replaced, for any number and lengths", () => {
  fc.assert(
    fc.property(fc.array(part), fc.string(), (parts, rest) => {
      let text = "";
      const splices: Splice[] = [];
      for (const { unchanged, old, inserted } of parts) {
        text += unchanged;
        const start = Buffer.byteLength(text);
        text += old;
        splices.push({ start, end: Buffer.byteLength(text), inserted: Buffer.from(inserted) });
      }
      const expected = parts.map(({ unchanged, inserted }) => unchanged + inserted).join("") + rest;
      expect(Buffer.from(spliceBytes(Buffer.from(text + rest), splices)).toString()).toBe(expected);
    }),
  );
});

test("a result that does not grow is not a copy", () => {
  const bytes = Buffer.from("one two three");
  const shorter = spliceBytes(bytes, [{ start: 4, end: 7, inserted: Buffer.from("2") }]);
  expect(Buffer.from(shorter).toString()).toBe("one 2 three");
  expect(shorter.buffer).toBe(bytes.buffer);
  const longer = spliceBytes(Buffer.from("a b"), [{ start: 0, end: 1, inserted: Buffer.from("aaa") }]);
  expect(Buffer.from(longer).toString()).toBe("aaa b");
});
