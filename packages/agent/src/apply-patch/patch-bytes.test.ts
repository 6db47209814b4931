import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import type { Hunk, HunkLine } from "./patch.ts";
import { patchBytes } from "./patch-bytes.ts";

const LINE = fc.constantFrom("a", "a", "a", "b", "b", "", " a", "é");
const KIND = fc.constantFrom<HunkLine["kind"]>("context", "remove", "add");
const HUNK: fc.Arbitrary<Hunk> = fc.record({
  hints: fc.array(LINE, { maxLength: 1 }),
  lines: fc.array(fc.record({ kind: KIND, text: LINE }), { minLength: 1, maxLength: 3 }),
  isAtEnd: fc.constantFrom(false, false, false, false, true),
});
const FILE = fc
  .record({ lines: fc.array(LINE, { maxLength: 12 }), end: fc.constantFrom("\n", "\n", "\r\n"), isOpen: fc.boolean() })
  .map(({ lines, end, isOpen }) => lines.join(end) + (isOpen ? "" : end));

function patchedText(text: string, hunks: readonly Hunk[]): string | undefined {
  const patched = patchBytes(Buffer.from(text), hunks);
  return patched === undefined ? undefined : Buffer.from(patched).toString();
}

function hunk(...lines: readonly [HunkLine["kind"], string][]): Hunk {
  return { hints: [], lines: lines.map(([kind, text]) => ({ kind, text })), isAtEnd: false };
}

test("the byte-level search finds the same as the text-level search, for any file and hunks", () => {
  let found = 0;
  fc.assert(
    fc.property(FILE, fc.array(HUNK, { minLength: 1, maxLength: 3 }), (text, hunks) => {
      const patched = patchedText(text, hunks);
      if (patched === undefined) return;
      found += 1;
      expect(patched).toBe(applyHunks(text, hunks, "file"));
    }),
    { numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(20);
});

test("several hunks and a byte order mark", () => {
  const first = hunk(["context", "one"], ["remove", "two"], ["add", "zwei"]);
  const second = { ...hunk(["add", "fünf"], ["context", "six"]), hints: ["four"] };
  expect(patchedText("\uFEFFone\ntwo\nthree\nfour\nsix\n", [first, second])).toBe(
    "\uFEFFone\nzwei\nthree\nfour\nfünf\nsix\n",
  );
});

test("a hunk that follows a line equal to its own first line", () => {
  const only = { ...hunk(["remove", "b"], ["add", "c"]), hints: ["b"] };
  expect(patchedText("a\nb\nb\n", [only])).toBe("a\nb\nc\n");
});

test.each<[string, string, Hunk]>([
  ["lines that end otherwise", "one\r\ntwo\r\n", hunk(["remove", "one"])],
  ["a last line without an end", "one", hunk(["remove", "one"])],
  ["lines that are nearly there", "  one\n", hunk(["remove", "one"])],
  ["a pure addition", "one\n", hunk(["add", "two"])],
  ["the end of the file", "one\n", { ...hunk(["remove", "one"]), isAtEnd: true }],
  ["a hint that names the line a hunk begins with", "a\nb\n", { ...hunk(["remove", "b"]), hints: ["b"] }],
  ["half a character", "one\n", hunk(["remove", "one"], ["add", "\ud800"])],
  ["a part of a line", "one two\n", hunk(["remove", "two"])],
])("%s are left to whoever reads the text", (_, text, only) => {
  expect(patchedText(text, [only])).toBeUndefined();
});
