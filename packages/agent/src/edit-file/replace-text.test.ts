import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replaceText } from "./replace-text.ts";

function replace(text: string, oldText: string, newText: string): ReturnType<typeof replaceText> {
  return replaceText(text, { oldText, newText, replaceAll: false }, "f");
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return EngineError.is(error) ? error.code : "other";
  }
}

test("one exact occurrence is replaced [loop-3.3-10]", () => {
  expect(replace("a b c", "b", "B")).toEqual({ text: "a B c", count: 1, tolerance: undefined });
});

test("a text that is not there is an error [loop-3.3-11]", () => {
  expect(codeOf(() => replace("a b c", "x", "y"))).toBe("edit.text_not_found");
});

test("a text that is there twice is an error unless all are meant [loop-3.3-12] [loop-3.3-13]", () => {
  expect(codeOf(() => replace("b a b", "b", "B"))).toBe("edit.text_not_unique");
  const replacement = { oldText: "b", newText: "B", replaceAll: true };
  expect(replaceText("b a b", replacement, "f")).toMatchObject({ text: "B a B", count: 2 });
});

test("the replacement is taken literally", () => {
  const pattern = "$& $1 $$ $` $' \\n";
  expect(replace("x", "x", pattern).text).toBe(pattern);
});

test("any text is replaced exactly at its position, and nothing else changes [loop-3.3-10]", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(fc.tuple(text, text, text, text), ([before, old, after, inserted]) => {
      const text = before + old + after;
      fc.pre(old !== "" && text.indexOf(old) === before.length && text.indexOf(old, before.length + 1) === -1);
      fc.pre(!(before.endsWith("\r") && old.startsWith("\n")) && !text.includes("\r\n"));
      expect(replace(text, old, inserted)).toMatchObject({ text: before + inserted + after, tolerance: undefined });
    }),
  );
});

describe("line ends", () => {
  test("a text of LF lines finds CRLF lines and is replaced by CRLF lines", () => {
    expect(replace("a\r\nb\r\nc\r\n", "a\nb", "x\ny")).toEqual({
      text: "x\r\ny\r\nc\r\n",
      count: 1,
      tolerance: undefined,
    });
  });

  test("new lines in the middle of a CRLF line get the file's line end", () => {
    expect(replace("a\r\nb\r\n", "b", "x\ny").text).toBe("a\r\nx\r\ny\r\n");
    expect(replace("a\nb\n", "b", "x\r\ny").text).toBe("a\nx\r\ny\n");
  });

  test("a text of CRLF lines is replaced by CRLF lines, unless the line ends are the change", () => {
    expect(replace("one\r\ntwo\r\nthree\r\n", "one\r\ntwo", "1\n2").text).toBe("1\r\n2\r\nthree\r\n");
    expect(replace("one\r\ntwo\r\n", "one\r\ntwo\r\n", "one\ntwo\n").text).toBe("one\ntwo\n");
    const all = { oldText: "\r\n", newText: "\n", replaceAll: true };
    expect(replaceText("one\r\ntwo\r\n", all, "f").text).toBe("one\ntwo\n");
  });

  test("a text that begins with a line end takes no half of one", () => {
    expect(replace("a\r\nb\r\nc\r\n", "\nb", "").text).toBe("a\r\nc\r\n");
    expect(replace("a\r\nb\nc\nd\n", "\nb", "\nx\ny").text).toBe("a\r\nx\r\ny\nc\nd\n");
  });

  test("a change has the same result for all line ends of the file", () => {
    const piece = fc
      .array(fc.constantFrom("a", "b", "\n"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(""));
    const outcome = (text: string, old: string, inserted: string): string => {
      try {
        return replace(text, old, inserted).text;
      } catch (error) {
        return EngineError.is(error) ? error.code : "another error";
      }
    };
    fc.assert(
      fc.property(fc.array(piece), piece, fc.oneof(fc.constant(""), piece), (pieces, old, inserted) => {
        const text = `${pieces.join("")}\n`;
        const crlf = outcome(text.replaceAll("\n", "\r\n"), old, inserted);
        expect(crlf).toBe(outcome(text, old, inserted).replaceAll("\n", "\r\n"));
      }),
    );
  });

  test("lines elsewhere retain their line ends", () => {
    expect(replace("a\r\nb\r\nc\nd", "a\nb", "x\ny").text).toBe("x\r\ny\r\nc\nd");
  });
});

describe("tolerance [loop-3.3-15]", () => {
  test.each([
    ["white space at the ends of lines", "f(  \n  x \n)\nz\n", "f(\n  x\n)", "g()", "g()\nz\n"],
    ["typographic punctuation", "say \u201chi\u201d \u2013 now", 'say "hi" - now', "bye", "bye"],
    ["a missing final newline", "a\nlast line", "last line\n", "new\n", "a\nnew"],
    ["different white space between words", "x  =\t1\ny\n", "x = 1", "x = 2", "x  =\t2\ny\n"],
  ])("%s is ignored and reported", (...[, text, old, replacement, expected]) => {
    const result = replace(text, old, replacement);
    expect(result.text).toBe(expected);
    expect(result.tolerance).toBeTypeOf("string");
  });

  test.each([
    ["one character", "x = caf\u00e9;\n", "cafe\u0301;", "tea;", "x = tea;\n"],
    ["a character and its accent", "x = cafe\u0301;\n", "caf\u00e9;", "tea;", "x = tea;\n"],
    [
      "several, and lines",
      "\u1e69 \uac00\r\ncafe\u0301\r\nb\r\n",
      "\uac00\ncaf\u00e9",
      "\u00e9\nc",
      "\u1e69 \u00e9\r\nc\r\nb\r\n",
    ],
  ])("accented characters are found as %s", (...[, text, old, replacement, expected]) => {
    expect(replace(text, old, replacement)).toEqual({
      text: expected,
      count: 1,
      tolerance: "how accented characters are composed",
    });
  });

  test("a character that has one accent more is another one", () => {
    expect(codeOf(() => replace("x = o\u0302\u0301\n", "\u00f4", "o"))).toBe("edit.text_not_found");
    expect(codeOf(() => replace("x = \u1ed1\n", "\u00f4", "o"))).toBe("edit.text_not_found");
  });

  test("accented characters at two positions are two matches, unless all are replaced", () => {
    const replacement = { oldText: "\u00e9", newText: "e", replaceAll: false };
    expect(codeOf(() => replaceText("e\u0301 e\u0301", replacement, "f"))).toBe("edit.text_not_unique");
    expect(replaceText("e\u0301 e\u0301!", { ...replacement, replaceAll: true }, "f")).toMatchObject({
      text: "e e!",
      count: 2,
    });
  });

  test("other indentation is ignored, and the replacement gets the file's", () => {
    const text = "class A {\n    f() {\n        old();\n    }\n}\n";
    const result = replace(text, "f() {\n    old();\n}", "f() {\n    new1();\n\n    new2();\n}");
    expect(result.text).toBe("class A {\n    f() {\n        new1();\n\n        new2();\n    }\n}\n");
    expect(result.tolerance).toContain("indentation");
  });

  test("an exact occurrence wins over a tolerant one", () => {
    expect(replace("x \nx\n", "x\n", "y\n")).toMatchObject({ text: "x \ny\n", tolerance: undefined });
  });

  test("overlapping positions are two matches, unless all are replaced", () => {
    expect(codeOf(() => replace("x\ny\nx\ny\nx\n", "x\ny\nx", "z"))).toBe("edit.text_not_unique");
    expect(codeOf(() => replace("x \ny\nx \ny\nx\n", "x\ny\nx", "z"))).toBe("edit.text_not_unique");
    const all = { oldText: "x\ny\nx", newText: "z", replaceAll: true };
    expect(replaceText("x\ny\nx\ny\nx\n", all, "a.txt")).toMatchObject({ text: "z\ny\nx\n", count: 1 });
  });

  test("a tolerant match must be unique as well", () => {
    expect(codeOf(() => replace("a  \nb\na \nb\n", "a\nb", "c"))).toBe("edit.text_not_unique");
  });

  test("lines that are removed with their line end leave no empty line", () => {
    expect(replace("a\nb \nc\n", "b\n", "").text).toBe("a\nc\n");
  });

  test("white space alone matches only itself", () => {
    expect(codeOf(() => replace("a\nb\n", "\t\t", "c"))).toBe("edit.text_not_found");
  });
});
