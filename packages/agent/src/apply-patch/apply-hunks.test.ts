import { EngineError } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyHunks, type Hunk, parsePatch } from "../index.ts";

function hunksOf(...lines: string[]): readonly Hunk[] {
  const [operation] = parsePatch(["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n"));
  return operation?.type === "update" ? operation.hunks : [];
}

function apply(text: string, ...lines: string[]): string {
  return applyHunks(text, hunksOf(...lines), "f");
}

function failureOf(text: string, ...lines: string[]): EngineError | undefined {
  try {
    apply(text, ...lines);
    return undefined;
  } catch (error) {
    return EngineError.is(error, "patch.context_not_found") ? error : undefined;
  }
}

test("context, removed and added lines change the range that they match [loop-A-4] [loop-A-9]", () => {
  expect(apply("a\nb\nc\nd\n", "@@", " b", "-c", "+C", "+c2", " d")).toBe("a\nb\nC\nc2\nd\n");
});

test("several hunks are applied in order [loop-A-7]", () => {
  const text = 'DEFAULT_TIMEOUT = 30\n\ndef load_config():\n    config = {}\n    config["debug"] = False\n';
  const result = apply(
    text,
    "@@ DEFAULT_TIMEOUT = 30",
    "-DEFAULT_TIMEOUT = 30",
    "+DEFAULT_TIMEOUT = 60",
    "@@ def load_config():",
    "     config = {}",
    '-    config["debug"] = False',
    '+    config["debug"] = True',
  );
  expect(result).toBe('DEFAULT_TIMEOUT = 60\n\ndef load_config():\n    config = {}\n    config["debug"] = True\n');
});

test("the hint selects between equal matches [loop-A-8]", () => {
  const text = "def a():\n    return 0\n\ndef b():\n    return 0\n";
  expect(apply(text, "@@ def b():", "-    return 0", "+    return 1")).toBe(
    "def a():\n    return 0\n\ndef b():\n    return 1\n",
  );
});

test("a hint may name the very line that the hunk begins with [loop-A-8] [loop-A-9]", () => {
  const text = "def a():\n    return 0\n\ndef b():\n    return 0\n";
  const changed = "def a():\n    return 0\n\ndef b():\n    return 1\n";
  expect(apply(text, "@@ def b():", " def b():", "-    return 0", "+    return 1")).toBe(changed);
  expect(apply(text, "@@ def b():", " def b():  ", "-    return 0", "+    return 1")).toBe(changed);
});

test("a hunk is applied after its hint if possible [loop-A-8] [loop-A-9]", () => {
  expect(apply("x\n1\nx\n2\n", "@@ x", "-x", "+y")).toBe("x\n1\ny\n2\n");
});

test("the end-of-file mark ties a hunk to the end [loop-A-11]", () => {
  const text = "x\ny\nx\ny\n";
  expect(apply(text, "@@", " x", "-y", "+z", "*** End of File")).toBe("x\ny\nx\nz\n");
  expect(failureOf("x\ny\nz\n", "@@", " x", "-y", "*** End of File")).toBeDefined();
});

describe("matching gets more tolerant step by step", () => {
  test.each([
    ["white space at the ends", "a  \nb\t\nc\n", ["@@", " a", "-b", "+B"], "a  \nB\nc\n"],
    ["white space round the lines", "    a\n  b\nc\n", ["@@", " a", "-b", "+B"], "    a\n  B\nc\n"],
    [
      "typographic punctuation",
      "say \u201chi\u201d\u2014now\nb\n",
      ["@@", ' say "hi"-now', "-b", "+B"],
      "say \u201chi\u201d\u2014now\nB\n",
    ],
  ])("%s do not matter, and unchanged lines stay the same [loop-A-10]", (...[, text, lines, expected]) => {
    expect(apply(text, ...lines)).toBe(expected);
  });

  test("an exact match further down takes precedence over a similar one above [loop-A-10]", () => {
    expect(apply("b \nx\nb\n", "@@", "-b", "+B")).toBe("b \nx\nB\n");
  });
});

test("a hunk that ends with an empty line the file does not have still fits", () => {
  expect(apply("a\nb", "@@", " a", "-b", "+c", " ", "@@", "+d")).toBe("a\nc\nd\n");
});

test("an empty line that the file lacks leaves new lines after the hint", () => {
  expect(apply("class A:\n  x = 1\n", "@@ class A:", "+  y = 2", " ")).toBe("class A:\n  y = 2\n  x = 1\n");
  expect(apply("class A:\n  x = 1\n", "@@ class A:", " ", "+  y = 2")).toBe("class A:\n  y = 2\n  x = 1\n");
  expect(failureOf("class A:\n  x = 1\n", "@@ class A:", "-")).toBeDefined();
});

describe("line ends", () => {
  test("unchanged lines keep their line ends, new lines get those of the file", () => {
    expect(apply("a\r\nb\r\nc\n", "@@", "-b", "+B", "+BB")).toBe("a\r\nB\r\nBB\r\nc\n");
  });

  test("a missing final newline stays missing when the last line stays", () => {
    expect(apply("a\nb", "@@", "-a", "+A", " b")).toBe("A\nb");
  });

  test("a new last line ends with a newline", () => {
    expect(apply("a\nb", "@@", " a", "-b", "+c")).toBe("a\nc\n");
    expect(apply("a", "@@", " a", "+b")).toBe("a\nb\n");
  });
});

describe("pure additions", () => {
  test("without a hint they are appended to the end", () => {
    expect(apply("a\nb\n", "@@", "+c", "+d")).toBe("a\nb\nc\nd\n");
    expect(apply("", "@@", "+c")).toBe("c\n");
  });

  test("they are inserted after the new lines of a hunk at the end, whichever comes first", () => {
    expect(apply("x = 1\n", "@@", "+y = 2", "@@", "-x = 1", "+x = 3")).toBe("x = 3\ny = 2\n");
    expect(apply("x = 1", "@@", "+y = 2", "*** End of File", "@@", "-x = 1", "+x = 3")).toBe("x = 3\ny = 2\n");
    expect(apply("a\nb\n", "@@", "+c", "@@", " b", "+b2")).toBe("a\nb\nb2\nc\n");
  });

  test("with a hint they are inserted after it", () => {
    expect(apply("import a\n\nx\n", "@@ import a", "+import b")).toBe("import a\nimport b\n\nx\n");
  });
});

test("a file and a hunk that repeat one line are compared in no time [loop-A-13]", () => {
  const text = "x\n".repeat(50_000);
  const lines = Array.from({ length: 3_000 }, () => ({ kind: "context", text: "x" }) as const);
  const hunk = { hints: [], lines: [...lines, { kind: "remove", text: "y" } as const], isAtEnd: false };
  const started = performance.now();
  expect(() => applyHunks(text, [hunk], "a.txt")).toThrow("hunk 1");
  expect(performance.now() - started).toBeLessThan(20_000);
});

test("a hunk that fits nowhere is an error with its number [loop-A-13] [loop-A-16]", () => {
  const error = failureOf("a\nb\n", "@@", " a", "@@", "-missing");
  expect(error?.message).toMatch(/f: hunk 2: .*\nmissing/);
  expect(failureOf("a\n", "@@ no such line", " a")?.message).toContain('"no such line" was not found');
});

test("applying the difference of any two texts gives the second one [loop-A-4] [loop-A-9]", () => {
  const word = fc.constantFrom("a", "b", "c", "  d", "e ", "}", "", "é");
  const step = fc.record({ kind: fc.constantFrom("context", "remove", "add"), text: word });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), fc.boolean(), (steps, isCrlf) => {
      const end = isCrlf ? "\r\n" : "\n";
      const join = (kind: string): string =>
        steps
          .filter((entry) => entry.kind !== kind)
          .map((entry) => entry.text + end)
          .join("");
      const lines = steps.map(({ kind, text }) => ({ kind, text }) as const);
      const hunk = { hints: [], lines, isAtEnd: false };
      const before = join("add");
      const after = applyHunks(before, [hunk], "f");
      // An empty file has no line end to adopt, so new lines get LF.
      expect(before === "" ? after.replaceAll("\n", end) : after).toBe(join("remove"));
    }),
    { numRuns: 1_000 },
  );
});

test("lines outside of the hunks stay identical byte for byte", () => {
  const line = fc.string({ maxLength: 6 }).map((text) => text.replace(/[\r\n]/g, ""));
  const ended = fc.tuple(line, fc.constantFrom("\n", "\r\n")).map(([text, end]) => text + end);
  fc.assert(
    fc.property(fc.array(ended), fc.array(ended), (above, below) => {
      const text = [...above, "UNIQUE MARK\n", ...below].join("");
      const changed = apply(text, "@@", "-UNIQUE MARK", "+OTHER");
      expect(changed.startsWith(`${above.join("")}OTHER`)).toBe(true);
      expect(changed.endsWith(below.join(""))).toBe(true);
    }),
  );
});

interface Step {
  readonly kind: "context" | "remove" | "add";
  readonly text: string;
}

const PREFIX = { context: " ", remove: "-", add: "+" } as const;

/** Renders hunks like a model: three context lines around each change. Overlapping neighbors form one hunk. */
function toHunks(steps: readonly Step[]): string[] {
  const near = steps.map((_, index) =>
    steps.slice(Math.max(0, index - 3), index + 4).some(({ kind }) => kind !== "context"),
  );
  const lines: string[] = [];
  steps.forEach(({ kind, text }, index) => {
    if (near[index] !== true) return;
    if (near[index - 1] !== true) lines.push("@@");
    lines.push(PREFIX[kind] + text);
  });
  return lines;
}

test("an edit script, written as hunks with three lines of context, transforms one text into the other [loop-A-7] [loop-A-9]", () => {
  const kind = fc.constantFrom<Step["kind"]>("context", "context", "context", "context", "remove", "add");
  const content = fc.constantFrom(
    "",
    "x",
    "  y ",
    "*** End Patch",
    "@@ z",
    "*** Add File: q",
    "+",
    "-",
    "\t",
    "\u2019",
  );
  const script = fc.array(fc.record({ kind, text: content }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(script, fc.constantFrom("\n", "\r\n"), fc.boolean(), (plain, end, endsInside) => {
      // Line numbers make every line unique, so that only one location of each hunk is right.
      const steps = plain.map(({ kind, text }, index): Step => ({ kind, text: `${index}${text}` }));
      fc.pre(steps.some((step) => step.kind !== "context") && steps.some((step) => step.kind !== "add"));
      const last = steps.at(-1);
      const cut = endsInside && last?.kind === "context" ? end.length : 0;
      const join = (dropped: Step["kind"]): string => {
        const shortened = steps.filter((step) => step.kind !== dropped).map((step) => step.text + end);
        return shortened.join("").slice(0, shortened.join("").length - cut);
      };
      // The text must contain a line end, because `applyHunks` detects the line end from it.
      fc.pre(join("add").includes(end));
      const patch = ["*** Begin Patch", "*** Update File: f", ...toHunks(steps), "*** End Patch"].join("\n");
      const [operation] = parsePatch(patch);
      if (operation?.type !== "update") throw new Error("no update");
      expect(applyHunks(join("add"), operation.hunks, "f")).toBe(join("remove"));
    }),
    { numRuns: 1_000 },
  );
});
