import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { replaceBytes } from "./replace-bytes.ts";
import { replaceText } from "./replace-text.ts";

const BYTE_ORDER_MARK = "\uFEFF";
const piece = fc.array(fc.constantFrom("a", "b", "é", "🙂", "\n", "\r\n", BYTE_ORDER_MARK, "\uFFFD"), { maxLength: 4 });
const text = piece.map((parts) => parts.join(""));
const file = fc.array(piece, { maxLength: 6 }).map((parts) => parts.flat().join(""));

const flag = fc.boolean();
const change = fc.record({ content: file, oldText: text, newText: text, replaceAll: flag, hasMark: flag });

/** Returns the text, or the code of the error. */
function outcomeOf(change: () => string | undefined): string | undefined {
  try {
    return change();
  } catch (error) {
    return EngineError.is(error) ? error.code : "another error";
  }
}

test("replacing without decoding gives the same as replacing in the text [loop-3.3-11]", () => {
  fc.assert(
    fc.property(change, ({ content, oldText, newText, replaceAll, hasMark }) => {
      const mark = hasMark ? BYTE_ORDER_MARK : "";
      // Content that starts with a byte order mark would itself count as a file with one.
      fc.pre(oldText !== "" && (hasMark || !content.startsWith(BYTE_ORDER_MARK)));
      const replacement = { oldText, newText, replaceAll };
      const bytes = Buffer.from(mark + content);
      const byBytes = outcomeOf(() => {
        const replaced = replaceBytes(bytes, replacement, "a.txt");
        return replaced === undefined ? undefined : Buffer.from(replaced.bytes).toString();
      });
      if (byBytes === undefined) return;
      expect(byBytes).toBe(outcomeOf(() => mark + replaceText(content, replacement, "a.txt").text));
    }),
  );
});

test("half of a character is in no file", () => {
  const replacement = { oldText: "\ud83d", newText: "x", replaceAll: true };
  expect(replaceBytes(Buffer.from("\uFFFD 🙂"), replacement, "a.txt")).toBeUndefined();
});
