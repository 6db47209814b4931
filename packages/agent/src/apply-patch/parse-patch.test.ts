import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PatchOperation, parsePatch } from "../index.ts";

function patch(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function problemOf(text: string): EngineError | undefined {
  try {
    parsePatch(text);
    return undefined;
  } catch (error) {
    return EngineError.is(error, "patch.malformed") ? error : undefined;
  }
}

test("all operations of one patch are read in order [loop-A-6]", () => {
  const operations = parsePatch(
    patch(
      "*** Add File: a",
      "+1",
      "+",
      "*** Delete File: b",
      "*** Update File: c",
      "*** Move to: d",
      "@@ x",
      " k",
      "-l",
      "+m",
    ),
  );
  expect(operations).toEqual([
    { type: "add", path: "a", lines: ["1", ""] },
    { type: "delete", path: "b" },
    {
      type: "update",
      path: "c",
      moveTo: "d",
      hunks: [
        {
          hints: ["x"],
          isAtEnd: false,
          lines: [
            { kind: "context", text: "k" },
            { kind: "remove", text: "l" },
            { kind: "add", text: "m" },
          ],
        },
      ],
    },
  ]);
});

describe("common deviations of models", () => {
  const expected = parsePatch(patch("*** Update File: a.txt", "@@", "-old", "+new"));

  test.each([
    ["a heredoc round it", `<<'EOF'\n${patch("*** Update File: a.txt", "@@", "-old", "+new")}\nEOF\n`],
    [
      "a heredoc with the command",
      `apply_patch <<"PATCH"\n${patch("*** Update File: a.txt", "@@", "-old", "+new")}\nPATCH`,
    ],
    [
      "a heredoc with the other name",
      `applypatch <<EOF\n${patch("*** Update File: a.txt", "@@", "-old", "+new")}\nEOF`,
    ],
    [
      "white space round the markers",
      " *** Begin Patch \n  *** Update File:   a.txt  \n@@ \n-old\n+new\n *** End Patch\t\n",
    ],
    ["no @@ in front of the first hunk", patch("*** Update File: a.txt", "-old", "+new")],
    ["empty lines between operations", patch("", "*** Update File: a.txt", "@@", "-old", "+new", "", "")],
    ["positions of a unified diff", patch("*** Update File: a.txt", "@@ -1,3 +1,3 @@", "-old", "+new")],
    ["CRLF line ends", patch("*** Update File: a.txt", "@@", "-old", "+new").replaceAll("\n", "\r\n")],
  ])("%s is accepted [loop-A-1]", (_, text) => {
    expect(parsePatch(text)).toEqual(expected);
  });

  test("several @@ lines in a row locate one position [loop-A-8]", () => {
    const [operation] = parsePatch(patch("*** Update File: a", "@@ class A", "@@ def f():", " x", "+y"));
    expect(operation).toMatchObject({ hunks: [{ hints: ["class A", "def f():"] }] });
  });

  test.each(["*** Begin Patch", "*** Add File: b", "*** End of File", "@@ b"])(
    "an unchanged line that reads %s is a line of the file [loop-A-9]",
    (line) => {
      const [operation, ...others] = parsePatch(patch("*** Update File: a", "@@", ` ${line}`, "-x", "+y"));
      expect(operation).toMatchObject({
        hunks: [{ hints: [], lines: [{ kind: "context", text: line }, { text: "x" }, { text: "y" }] }],
      });
      expect(others).toEqual([]);
    },
  );

  test("an empty line inside of a hunk is an empty unchanged line", () => {
    const [operation] = parsePatch(patch("*** Update File: a", "@@", "-x", "", "+y"));
    expect(operation).toMatchObject({
      hunks: [{ lines: [{ text: "x" }, { kind: "context", text: "" }, { text: "y" }] }],
    });
  });
});

test.each([
  ["no patch at all", "hello", 1, "begin"],
  ["no end", "*** Begin Patch\n*** Delete File: a", 2, "end"],
  ["no operation", patch(), 2, "changes no file"],
  ["an unknown operation", patch("*** Rename File: a"), 2, "expected"],
  ["an operation without a path", patch("*** Delete File:"), 2, "path is missing"],
  ["an update without hunks", patch("*** Update File: a"), 3, "empty"],
  ["a hunk without lines", patch("*** Update File: a", "@@ x"), 4, "no lines"],
  ["a line without a prefix", patch("*** Update File: a", "@@", "x = 1"), 4, "no lines"],
  ["text behind a hunk", patch("*** Update File: a", "@@", "-x", "y"), 5, "@@"],
  ["text behind an added file", patch("*** Add File: a", "+x", "y"), 4, "expected"],
])("%s is an error that names the line [loop-A-1] [loop-A-14]", (...[, text, line, problem]) => {
  const error = problemOf(text);
  expect(error?.message).toContain(problem);
  expect(error?.details["line"]).toBe(line);
});

test("any text either is a patch or an error of the table [loop-A-14]", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "*** Begin Patch",
      "*** End Patch",
      "*** Update File: a",
      "*** Add File: b",
      "*** Move to: c",
      "@@",
      "@@ x",
      "*** End of File",
      "+a",
      "-b",
      " c",
      "",
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
      for (const text of [lines.join("\n"), patch(...lines)]) {
        let operations: PatchOperation[] = [];
        try {
          operations = parsePatch(text);
        } catch (error) {
          expect(EngineError.is(error, "patch.malformed")).toBe(true);
          continue;
        }
        expect(operations.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 2_000 },
  );
});
