import fc from "fast-check";
import picocolors from "picocolors";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../text/display-width.ts";
import { loadMarkdown } from "./load-markdown.ts";

const { openStream, render } = await loadMarkdown();
const PLAIN = picocolors.createColors(false);
const COLOURED = picocolors.createColors(true);
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal styles are escape sequences.
const STYLES = /\u001b\[\d+m/g;

function plain(text: string, columns = 60): string[] {
  return render(text, { columns, colours: PLAIN });
}

/** Renders a text with colours, and returns the lines without styles. */
function unstyled(text: string, columns = 60): string[] {
  return render(text, { columns, colours: COLOURED }).map((line) => line.replace(STYLES, ""));
}

/** Renders a text that arrives in pieces. */
function streamed(pieces: readonly string[], columns = 60): string[] {
  const lines: string[] = [];
  const style = { columns, colours: PLAIN };
  const stream = openStream({ style: () => style, print: (printed) => lines.push(...printed) });
  for (const piece of pieces) stream.add(piece);
  stream.end();
  return lines;
}

describe("rendered text", () => {
  test("with colours, headings, bold text, code and links lose their markers", () => {
    const text = "## The *fix*\n\nUse **bold**, `code` and [the guide](https://example.org/guide).";
    expect(unstyled(text)).toEqual(["The fix", "", "Use bold, code and the guide (https://example.org/guide)."]);
    expect(render("**bold**", { columns: 60, colours: COLOURED })).toEqual([COLOURED.bold("bold")]);
  });

  test("without colours, the markers remain", () => {
    expect(plain("# Title\nUse **bold**, *italic*, ~~old~~ and `code`.")).toEqual([
      "# Title",
      "Use **bold**, *italic*, ~~old~~ and `code`.",
    ]);
  });

  test("the address of a link is visible, once", () => {
    expect(unstyled("[https://good.example](https://evil.example) https://a.example")).toEqual(
      ["https://good.example (https://evil.example) https://a.example"].flatMap((line) => [
        line.slice(0, 43),
        line.slice(44),
      ]),
    );
  });

  test("code is indented, keeps its spaces and is labelled with its language", () => {
    expect(unstyled("Run:\n\n```sh\nif true; then\n  echo **x**\n\nfi\n```\n\nDone.")).toEqual([
      ...["Run:", "", "  sh", "  if true; then", "    echo **x**", "", "  fi", "", "Done."],
    ]);
  });

  test("lists keep their numbers, nesting and task boxes, and wrapped lines are aligned", () => {
    expect(unstyled("3. three\n4. four\n   - nested item that is quite long\n- [x] done", 25)).toEqual([
      ...["3. three", "4. four", "   • nested item that is", "     quite long", "• [x] done"],
    ]);
  });

  test("a quotation has a bar, an unknown block is shown as it is written", () => {
    expect(unstyled("> one\n> two\n\n<details>\n<b>x</b>\n</details>")).toEqual([
      ...["│ one", "│ two", "", "<details>", "<b>x</b>", "</details>"],
    ]);
  });
});

describe("tables", () => {
  const table = "| File | Tests |\n|---|---:|\n| a.ts | 1 |\n| 漢字.ts | 20 |\n";

  test("columns are aligned, with wide characters too", () => {
    expect(unstyled(table)).toEqual([...["File    │ Tests", "────────┼──────", "a.ts    │     1", "漢字.ts │    20"]]);
  });

  test("columns that are too wide are wrapped", () => {
    const lines = unstyled("| A | Note |\n|---|---|\n| 1 | one two three four five |\n| 2 | six |\n", 20);
    expect(lines).toEqual([
      ...["A │ Note", "──┼─────────────────", "1 │ one two three", "  │ four five", "──┼─────────────────", "2 │ six"],
    ]);
  });

  test("a table with too many columns becomes a list of its rows", () => {
    const row = (cell: string): string => `|${Array(9).fill(` ${cell} `).join("|")}|\n`;
    const lines = unstyled(`${row("header")}${row("---")}${row("value")}${row("other")}`, 40);
    expect(lines.slice(0, 2)).toEqual(["header: value", "header: value"]);
    expect(lines.slice(8, 11)).toEqual(["header: value", "", "header: other"]);
  });
});

describe("streaming", () => {
  test("a block is printed once it is complete, a list item once the next begins, and code line by line", () => {
    const lines: string[] = [];
    const style = { columns: 60, colours: PLAIN };
    const stream = openStream({ style: () => style, print: (printed) => lines.push(...printed) });
    const next = (text: string): string[] => {
      lines.length = 0;
      stream.add(text);
      return [...lines];
    };
    expect(next("First ")).toEqual([]);
    expect(next("line\n\nSecond")).toEqual(["First line"]);
    expect(stream.pending()).toEqual(["", "Second"]);
    expect(next("\n\n- one\n- t")).toEqual(["", "Second"]);
    expect(next("wo\n")).toEqual(["", "• one"]);
    expect(stream.pending()).toEqual(["• two"]);
    expect(next("\n```js\na\nb")).toEqual(["• two", "", "  js", "  a"]);
    expect(stream.pending()).toEqual(["  b"]);
    expect(next("\n```\n")).toEqual(["  b"]);
    expect(stream.pending()).toEqual([]);
  });

  test("the text looks the same in one piece and in pieces of any size", () => {
    const blocks = fc.constantFrom(
      ...[
        "# Title\n",
        "Some **bold** text\nand more\n\n",
        "- one\n- two\n  - three\n\n",
        "1. a\n\n2. b\n\n",
        "```\ncode\n\n  x\n```\n",
      ],
      ...[
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        "> quote\n\n",
        "---\n\n",
        "~~~ts\nopen\n",
        "word\n",
        "\r\n",
        "👍🏽\n\n",
      ],
    );
    const text = fc.array(blocks, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (whole, size) => {
        const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
          whole.slice(at * size, (at + 1) * size),
        );
        expect(streamed(pieces)).toEqual(plain(whole));
      }),
    );
  });
});

const MARKDOWN = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...["#", "*", "_", "`", "~", "|", "-", ">", "[", "](", ")", "!", "<", "1.", "    ", "\n", "\n\n", "\t", "\r"],
    ),
    fc.constantFrom(
      "\u001b[2J",
      "\u001b]8;;https://evil.example\u0007",
      "\u009b1A",
      "\u0008",
      "&#27;",
      "&#x1b;[2J",
      "\u202e",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom("```\n", "| a | b |\n|---|---|\n", "- [ ] ", "漢字"),
  ),
  { maxLength: 40 },
);

describe("untrusted text", () => {
  test("no control sequence of the model reaches the terminal", () => {
    fc.assert(
      fc.property(MARKDOWN, fc.integer({ min: 1, max: 90 }), (parts, columns) => {
        for (const line of streamed(parts, columns)) expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
        const coloured = render(parts.join(""), { columns, colours: COLOURED });
        for (const line of coloured) expect(line.replace(STYLES, "")).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
      }),
    );
  });

  test("letters and digits survive, in their order", () => {
    const words = fc.array(
      fc.oneof(
        MARKDOWN.map((parts) => parts.join("")),
        fc.constantFrom("alpha ", "beta\n", "42"),
      ),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(words, (parts) => {
        const letters = (text: string): string => text.replace(/[^a-z0-9]/gi, "");
        const text = parts
          .join("")
          .replace(/[^\x20-\x7e\n]/g, "")
          .replace(/[[\]()<>|&]/g, "");
        expect(letters(plain(text, 40).join("\n"))).toBe(letters(text));
      }),
    );
  });

  test("a marker that leaves too little room is on a line of its own", () => {
    const word = "x".repeat(30);
    expect(plain(`- [ ] ${word}`, 24)).toEqual(["• [ ]", "x".repeat(24), "x".repeat(6)]);
    expect(plain("- [ ] short", 24)).toEqual(["• [ ] short"]);
  });

  test("no line is wider than the terminal", () => {
    fc.assert(
      fc.property(MARKDOWN, fc.integer({ min: 24, max: 90 }), (parts, columns) => {
        for (const line of plain(parts.join(""), columns)) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test.each([
    ["one line", "a".repeat(1_000_000)],
    ["one paragraph", "word **bold** [a](b)\n".repeat(50_000)],
    ["brackets", "[".repeat(300_000)],
    ["quotations", `${">".repeat(100_000)}x`],
    ["a list", "- item\n".repeat(30_000)],
    ["a table row", `|a|\n|-|\n|${"b ".repeat(300_000)}|\n`],
    ["code in one line", `\`\`\`\n${"c".repeat(1_000_000)}`],
  ])("%s that is very long is shown completely", (_, text) => {
    const letters = (whole: string): number => whole.match(/[a-z[>]/g)?.length ?? 0;
    const pieces = text.match(/[\s\S]{1,4000}/g) ?? [];
    expect(letters(streamed(pieces).join(""))).toBe(letters(text));
  });
});
