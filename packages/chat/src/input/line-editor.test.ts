import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyDecoder } from "./create-key-decoder.ts";
import { createLineEditor, type LineEditor } from "./create-line-editor.ts";

/** Sends input as a terminal in raw mode does. Resolves when all keys were handled. */
async function type(editor: LineEditor, ...inputs: readonly string[]): Promise<void> {
  const decode = createKeyDecoder({ press: (key) => void editor.press(key), paste: editor.paste });
  for (const input of inputs) {
    decode(input);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Escape sequences of keys. */
const [LEFT, RIGHT, HOME, END, DELETE] = ["\u001b[D", "\u001b[C", "\u001b[H", "\u001b[F", "\u001b[3~"];
const [PASTE, PASTED] = ["\u001b[200~", "\u001b[201~"];

test.each([
  ["typed text is inserted at the cursor", ["ac", LEFT, "b"], "abc"],
  ["the arrow keys move over whole graphemes", ["👨‍👩‍👧é", LEFT, LEFT, "x"], "x👨‍👩‍👧é"],
  ["Backspace deletes a whole grapheme", ["a👨‍👩‍👧", "\u007f"], "a"],
  ["Delete deletes the grapheme after the cursor", ["日本", HOME, DELETE], "本"],
  ["Home and End move in the line", ["one\u000atwo", HOME, "x", END, "y"], "one\nxtwoy"],
  ["Ctrl-W deletes a word", ["one two ", "\u0017"], "one "],
  ["Alt-B moves back over a word", ["one two", "\u001bb", "x"], "one xtwo"],
  ["Ctrl-U deletes to the start of the line, Ctrl-K to its end", ["abc", LEFT, "\u0015", RIGHT, LEFT, "\u000b"], ""],
  ["Alt-Enter inserts a line end", ["a", "\u001b\r", "b"], "a\nb"],
  ["keys without a meaning insert nothing", ["a", "\u001b[15~", "\u001b[5~", "\u0007"], "a"],
])("%s", async (_, inputs, text) => {
  const editor = createLineEditor();
  await type(editor, ...inputs);
  expect(editor.text).toBe(text);
});

test("a long paste is shown as a placeholder and sent whole, a short one is inserted", async () => {
  const editor = createLineEditor();
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\r");
  await type(editor, `see ${PASTE}${lines}${PASTED} and ${PASTE}a\tb\r\nc${PASTED}`);
  expect(editor.text).toBe("see [12 lines pasted] and a    b\nc");
  expect(editor.take()).toBe(`see ${lines.replaceAll("\r", "\n")} and a    b\nc`);
  expect(editor.text).toBe("");
});

test("Backspace deletes a placeholder at once, and equal pastes have different placeholders", async () => {
  const editor = createLineEditor();
  const lines = "x\r".repeat(5);
  await type(editor, `${PASTE}${lines}y${PASTED}${PASTE}${lines}z${PASTED}`);
  expect(editor.text).toBe("[6 lines pasted][6 lines pasted, 2]");
  await type(editor, "\u007f");
  expect(editor.text).toBe("[6 lines pasted]");
  expect(editor.take()).toBe("x\nx\nx\nx\nx\ny");
});

test("a pasted escape sequence or control character cannot reach the text", async () => {
  const editor = createLineEditor();
  await type(editor, `${PASTE}a\u0007b\u202ec${PASTED}`);
  expect(editor.text).toBe("abc");
});

test("no sequence of keys moves the cursor out of the text", async () => {
  const keys = fc.constantFrom(
    "a",
    "日",
    "👨‍👩‍👧",
    " ",
    LEFT,
    RIGHT,
    HOME,
    END,
    DELETE,
    "\u007f",
    "\u0017",
    "\u000a",
    "\u000b",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { maxLength: 40 }), async (inputs) => {
      const editor = createLineEditor();
      await type(editor, inputs.join(""));
      expect(editor.cursor).toBeGreaterThanOrEqual(0);
      expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
    }),
    { numRuns: 100 },
  );
});
