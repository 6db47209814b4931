import fc from "fast-check";
import { expect, test } from "vitest";
import { findSequence } from "../edit-file/find-sequence.ts";
import { seekExactly } from "./seek-exactly.ts";
import { linesOf } from "./text-lines.ts";

const line = fc.constantFrom("", "a", "b", "ab", "\r");
const lineEnd = fc.constantFrom("\n", "\r\n");

test("lines are found in a text at the same positions as in the list of its lines, even if they repeat [loop-A-7]", () => {
  const lines = fc.array(fc.tuple(line, lineEnd), { maxLength: 12 });
  const wanted = fc.array(line, { minLength: 1, maxLength: 5 });
  const search = fc.record({ pairs: lines, isOpen: fc.boolean(), sought: wanted, skipped: fc.nat(12) });
  fc.assert(
    fc.property(search, ({ pairs, isOpen, sought, skipped }) => {
      const joined = pairs.flat().join("");
      const text = isOpen ? joined.replace(/\r?\n$/, "") : joined;
      const all = linesOf(text);
      const from = Math.min(skipped, all.length);
      const found = findSequence(
        all.map(({ start, end }) => text.slice(start, end)),
        sought,
        from,
      );
      const position = seekExactly(text, sought, all[from]?.start ?? text.length);
      expect(position).toBe(found === undefined ? undefined : all[found]?.start);
    }),
  );
});
