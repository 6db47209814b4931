import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { applyHunks } from "../apply-patch/apply-hunks.ts";
import { callTool, createAnthropicProfile } from "../index.ts";
import { replaceText } from "./replace-text.ts";

function replace(text: string, oldText: string, newText: string): string {
  return replaceText(text, { oldText, newText, replaceAll: false }, "f").text;
}

test("an edit with spaces in a file with tabs writes tabs, whichever lines it names", () => {
  const makefile = "all:\n\techo one\n\techo two\n\nclean:\n\trm -f a\n";
  expect(replace(makefile, "    echo one", "    echo 1\n    echo 1b")).toBe(
    "all:\n\techo 1\n\techo 1b\n\techo two\n\nclean:\n\trm -f a\n",
  );
  expect(replace(makefile, "all:\n    echo one\n", "all:\n    echo 1\n        deeper\n")).toBe(
    "all:\n\techo 1\n\t\tdeeper\n\techo two\n\nclean:\n\trm -f a\n",
  );
  expect(replace(makefile, "    echo two\n\nclean:\n    rm -f a", "    echo 2\n\nclean:\n    rm -f a b\n    ls")).toBe(
    "all:\n\techo one\n\techo 2\n\nclean:\n\trm -f a b\n\tls\n",
  );
});

test("an edit with tabs in a file with spaces writes spaces", () => {
  expect(replace("if x:\n  a()\n", "if x:\n\ta()", "if x:\n\tif y:\n\t\ta()")).toBe("if x:\n  if y:\n    a()\n");
});

test("a patch with spaces in a file with tabs writes tabs", () => {
  const lines = [
    { kind: "context", text: "all:" },
    { kind: "remove", text: "    echo one" },
    { kind: "add", text: "    echo 1" },
    { kind: "add", text: "    echo 2" },
  ] as const;
  const hunk = { hints: [], lines, isAtEnd: false };
  expect(applyHunks("all:\n\techo one\n", [hunk], "f")).toBe("all:\n\techo 1\n\techo 2\n");
});

test("typographic quotes stay outside of the change", () => {
  const text = "He said \u201chello\u201d \u2013 it\u2019s fine.\nNext \u201cline\u201d.\n";
  expect(
    replace(text, 'He said "hello" - it\'s fine.\nNext "line".', 'He said "bye" - it\'s fine.\nNext "line".'),
  ).toBe("He said \u201cbye\u201d \u2013 it\u2019s fine.\nNext \u201cline\u201d.\n");
  expect(replace(text, '"hello" - it\'s', 'print("x")')).toBe('He said print("x") fine.\nNext \u201cline\u201d.\n');
});

test("typographic quotes stay in lines that a patch changes elsewhere", () => {
  const lines = [
    { kind: "remove", text: 'say "one" now' },
    { kind: "add", text: 'say "one" later' },
  ] as const;
  expect(applyHunks("say \u201cone\u201d now\n", [{ hints: [], lines, isAtEnd: false }], "f")).toBe(
    "say \u201cone\u201d later\n",
  );
});

test("white space at the ends of lines and mixed line ends stay in lines that are not changed", () => {
  expect(replace("a  \r\nb\nc \r\nd\n", "a\nb\nc", "a\nB\nc")).toBe("a  \r\nB\nc \r\nd\n");
});

const word = fc.constantFrom("alpha", "beta", "x1", "caf\u00e9", "=");
const quote = fc.constantFrom('"', "\u201c", "\u201d", "'", "\u2019", "\u2013", "");
const indent = fc.constantFrom("", "\t", "\t\t", "  ", "    ", "        ");
const trailing = fc.constantFrom("", "", "", " ", "\t");
const lineOf = fc.record({ indent, words: fc.array(fc.tuple(quote, word, quote), { maxLength: 4 }), trailing });
const perturbation = fc.record({ quotes: fc.boolean(), tabs: fc.boolean(), trailing: fc.boolean() });

function asModel(line: string, how: { quotes: boolean; tabs: boolean; trailing: boolean }): string {
  let shown = line;
  if (how.quotes)
    shown = shown
      .replace(/[\u201c\u201d]/g, '"')
      .replaceAll("\u2019", "'")
      .replaceAll("\u2013", "-");
  if (how.tabs) shown = shown.replace(/^\t+/, (tabs) => "    ".repeat(tabs.length));
  return how.trailing ? shown.trimEnd() : shown;
}

const FORMATS = [
  (text: string) => Buffer.from(text),
  (text: string) => Buffer.from(`\uFEFF${text}`),
  (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  // Windows-1252 if the text has typographic characters, otherwise Latin-1.
  (text: string) =>
    Buffer.from(
      `\u00e9\n${text}`.replace(/[\u2013\u2019\u201c\u201d]/g, (character) => {
        const bytes: Readonly<Record<string, string>> = { "\u2013": "\x96", "\u2019": "\x92", "\u201c": "\x93" };
        return bytes[character] ?? "\x94";
      }),
      "latin1",
    ),
] as const;

const edited = fc.record({
  lines: fc.array(lineOf, { minLength: 1, maxLength: 8 }),
  ends: fc.constantFrom("\n", "\r\n", "mixed"),
  first: fc.nat(7),
  count: fc.integer({ min: 1, max: 3 }),
  changed: fc.nat(2),
  how: perturbation,
  format: fc.constantFrom(...FORMATS),
  final: fc.boolean(),
});

test("for any file and any changed word, every other byte of the file stays", async () => {
  await using workspace = await openWorkspace();
  const profile = createAnthropicProfile({ model: "claude" });
  await fc.assert(
    fc.asyncProperty(edited, async ({ lines, ends, how, format, final, ...position }) => {
      // The line number makes every line unique.
      const texts = lines.map(
        (line, index) =>
          `${line.indent}n${index}n ${line.words.map((parts) => parts.join("")).join(" ")} end${index}${line.trailing}`,
      );
      const first = position.first % texts.length;
      const last = Math.min(texts.length, first + position.count) - 1;
      const changed = first + (position.changed % (last - first + 1));
      const textOf = (list: readonly string[]): string =>
        list
          .map((line, index) => {
            const end = ends === "mixed" ? (index % 3 === 0 ? "\r\n" : "\n") : ends;
            return index === list.length - 1 && !final ? line : line + end;
          })
          .join("");
      const replaced = texts.map((line, index) => (index === changed ? line.replace(`end${index}`, "CHANGED") : line));
      await workspace.write("a.txt", format(textOf(texts)));
      const region = (list: readonly string[]): string =>
        list
          .slice(first, last + 1)
          .map((line) => asModel(line, how))
          .join("\n");
      const result = await callTool({
        profile,
        environment: workspace.environment,
        name: "edit_file",
        arguments: { file_path: "a.txt", old_string: region(texts), new_string: region(replaced) },
      });
      expect(result.content).toContain("Replaced 1 occurrence");
      expect(await workspace.hex("a.txt")).toBe(format(textOf(replaced)).toString("hex"));
    }),
    { numRuns: 300 },
  );
});
