import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_OUTPUT_LIMITS, truncateToolOutput } from "../index.ts";
import { truncateOutput } from "./truncate-tool-output.ts";

const MARKER = "[WARNING: Tool output was truncated.";

/** Creates a text in which each character shows its original position. */
function ruler(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(0x100 + (index % 50_000))).join("");
}

describe("characters", () => {
  test("output within the limit stays as it is [loop-5.1-1]", () => {
    expect(truncateToolOutput("x".repeat(50_000), "read_file")).toBe("x".repeat(50_000));
  });

  test("head_tail preserves equal halves around a marker [loop-5.1-2] [loop-5.1-4]", () => {
    const text = ruler(40_000);
    const cut = truncateOutput(text, { maxChars: 10_000, mode: "head_tail" });
    const [head = "", rest = ""] = cut.split(`\n\n${MARKER}`);
    const tail = rest.slice(rest.indexOf("]\n\n") + 3);
    expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(1);
    expect(text.startsWith(head)).toBe(true);
    expect(text.endsWith(tail)).toBe(true);
    expect(rest).toContain(` ${text.length - head.length - tail.length} characters were removed from the middle.`);
    expect(rest).toContain("The full output is available in the event stream.");
  });

  test("tail preserves the end after a marker [loop-5.1-3]", () => {
    const text = ruler(30_000);
    const cut = truncateOutput(text, { maxChars: 1_000, mode: "tail" });
    expect(cut.startsWith(`${MARKER} First `)).toBe(true);
    expect(text.endsWith(cut.slice(cut.indexOf("]\n\n") + 3))).toBe(true);
  });

  test("the limit includes the marker, for any text, mode and limit [loop-5.1-5] [loop-5.1-6]", () => {
    const modes = fc.constantFrom("head_tail", "head", "tail");
    const limits = fc.record({
      maxChars: fc.integer({ min: 1, max: 600 }),
      maxLines: fc.integer({ min: 0, max: 40 }),
      mode: modes,
    });
    const piece = fc.oneof(fc.constant("\n"), fc.string({ unit: "binary", maxLength: 30 }), fc.constant("😀"));
    const text = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, limits, (output, limit) => {
        const cut = truncateOutput(output, limit);
        expect(cut.length).toBeLessThanOrEqual(limit.maxChars);
        if (limit.maxLines > 0) expect(cut.split("\n").length).toBeLessThanOrEqual(limit.maxLines);
        // Truncation must not create lone surrogates.
        if (!/\p{Surrogate}/u.test(output)) expect(cut).not.toMatch(/\p{Surrogate}/u);
        const isWithin = output.length <= limit.maxChars;
        const hasFewLines = limit.maxLines === 0 || output.split("\n").length <= limit.maxLines;
        if (isWithin && hasFewLines) expect(cut).toBe(output);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a limit too small for the full marker keeps a short one and as much of the text as fits [loop-5.1-5]", () => {
    const cut = truncateOutput(ruler(5_000), { maxChars: 120, mode: "head_tail" });
    expect(cut.length).toBeLessThanOrEqual(120);
    expect(cut).toMatch(/^[^[]+\n\n\[WARNING: Tool output was truncated\. 49\d\d characters were removed\.\]\n\n.+$/u);
    expect(truncateOutput(ruler(5_000), { maxChars: 12, mode: "tail" })).toBe("[truncated]");
    expect(truncateOutput(ruler(5_000), { maxChars: 1, mode: "head" })).toBe("[");
  });

  test("a pair of surrogates at the cut is dropped as a whole [loop-5.1-6]", () => {
    for (let maxChars = 300; maxChars < 304; maxChars += 1) {
      const cut = truncateOutput("😀".repeat(1_000), { maxChars, mode: "head_tail" });
      expect(cut).not.toMatch(/\p{Surrogate}/u);
      expect(cut).toContain(MARKER);
    }
  });

  test.each([
    ["read_file", 50_000, "head_tail", "[loop-5.2-1]"],
    ["shell", 30_000, "head_tail", "[loop-5.2-2]"],
    ["grep", 20_000, "tail", "[loop-5.2-3]"],
    ["glob", 20_000, "head", "[loop-5.2-4]"],
    ["edit_file", 10_000, "tail", "[loop-5.2-5]"],
    ["apply_patch", 10_000, "tail", "[loop-5.2-5]"],
    ["write_file", 1_000, "tail", "[loop-5.2-6]"],
    ["spawn_agent", 20_000, "head_tail", "[loop-5.2-7]"],
  ])("%s is limited to %i characters with %s %s [loop-9.5-5]", (name, maxChars, mode) => {
    expect(DEFAULT_OUTPUT_LIMITS[name]).toMatchObject({ maxChars, mode });
    const cut = truncateToolOutput(ruler(60_000), name);
    expect(cut.length).toBeLessThanOrEqual(maxChars);
    expect(cut.length).toBeGreaterThan(maxChars - 20);
  });

  test("a tool in no table is limited as well [loop-5.2-9]", () => {
    expect(truncateToolOutput("x".repeat(1_000_000), "my_tool").length).toBeLessThanOrEqual(30_000);
    expect(truncateToolOutput("x".repeat(1_000_000), "constructor").length).toBeLessThanOrEqual(30_000);
  });

  test("the host overrides limits by tool name; 0 lifts one [loop-5.2-8] [loop-2.2-10] [loop-9.5-6]", () => {
    const text = "x".repeat(2_000);
    expect(truncateToolOutput(text, "read_file", { toolOutputLimits: { read_file: 500 } }).length).toBeLessThanOrEqual(
      500,
    );
    expect(truncateToolOutput(text, "write_file", { toolOutputLimits: { write_file: 0 } })).toBe(text);
  });
});

describe("lines", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

  test.each([
    ["shell", 256],
    ["grep", 200],
    ["glob", 500],
  ])("%s is cut to %i lines [loop-5.3-2]", (name, maxLines) => {
    expect(truncateToolOutput(lines(maxLines), name)).toBe(lines(maxLines));
    expect(truncateToolOutput(lines(maxLines + 1), name).split("\n")).toHaveLength(maxLines);
  });

  test("read_file and edit_file have no line limit [loop-5.3-3]", () => {
    for (const name of ["read_file", "edit_file"]) {
      const text = "\n".repeat(9_000);
      expect(truncateToolOutput(text, name)).toBe(text);
    }
  });

  test("head and tail stay, and the line between them states how many lines are missing [loop-5.3-4]", () => {
    const cut = truncateToolOutput(lines(1_000), "shell").split("\n");
    expect(cut[0]).toBe("line 1");
    expect(cut.at(-1)).toBe("line 1000");
    expect(cut[127]).toBe("[... 745 lines omitted ...]");
    expect(cut[126]).toBe("line 127");
    expect(cut[128]).toBe("line 873");
  });

  test("two lines of ten million characters are cut, characters before lines [loop-5.3-1] [loop-5.3-5] [loop-9.5-1]", () => {
    const huge = "y".repeat(10_000_000);
    const cut = truncateToolOutput(`${huge}\n${huge}`, "shell");
    expect(cut.length).toBeLessThanOrEqual(30_000);
    expect(cut).toContain(MARKER);
  });

  test("the marker of the cut by characters survives the cut by lines [loop-5.3-7] [loop-9.5-3]", () => {
    for (const name of ["shell", "grep", "glob"]) {
      const cut = truncateToolOutput("a longer line of text\n".repeat(20_000), name);
      expect(cut).toContain(MARKER);
      expect(cut).toMatch(/\[\.\.\. \d+ lines omitted \.\.\.\]/);
      expect(cut.split("\n").length).toBeLessThanOrEqual(500);
    }
  });

  test("glob preserves the head of its list, grep its tail [loop-5.2-3] [loop-5.2-4] [loop-5.3-8]", () => {
    const glob = truncateToolOutput(lines(30_000), "glob").split("\n");
    expect(glob[0]).toBe("line 1");
    expect(glob[400]).toBe("line 401");
    expect(glob.at(-1)).toContain(MARKER);
    const grep = truncateToolOutput(lines(30_000), "grep").split("\n");
    expect(grep[0]).toContain(MARKER);
    expect(grep.at(-1)).toBe("line 30000");
  });

  test("the host overrides line limits by tool name [loop-5.3-6] [loop-9.5-2]", () => {
    expect(truncateToolOutput(lines(10), "shell", { toolLineLimits: { shell: 5 } }).split("\n")).toHaveLength(5);
    expect(truncateToolOutput(lines(999), "shell", { toolLineLimits: { shell: 0 } })).toBe(lines(999));
    expect(truncateToolOutput(lines(10), "my_tool", { toolLineLimits: { my_tool: 3 } }).split("\n")).toHaveLength(3);
  });

  test.each([2, 3, 4])(
    "a limit of %i lines preserves head and tail of an output that is truncated by characters",
    (maxLines) => {
      for (const [output, maxChars] of [
        [lines(20_000), 1_000],
        [`first${"y".repeat(50_000)}last`, 1_000],
        [`first\n${"a\n".repeat(5_000)}last`, 300],
        [`first\n${"y".repeat(50_000)}\nlast`, 200],
      ] as const) {
        const [head, tail] = [output.slice(0, 5), output.slice(-4)];
        const limits = { toolLineLimits: { shell: maxLines }, toolOutputLimits: { shell: maxChars } };
        const cut = truncateToolOutput(output, "shell", limits);
        expect(cut.startsWith(head)).toBe(true);
        expect(cut.endsWith(tail)).toBe(true);
        expect(cut).toContain(MARKER);
        expect(cut.split("\n").length).toBeLessThanOrEqual(maxLines);
        expect(cut.length).toBeLessThanOrEqual(maxChars);
      }
    },
  );

  test.each([2, 3, 4])("a limit of %i lines preserves the end that the mode selects", (maxLines) => {
    const overrides = { toolLineLimits: { glob: maxLines, grep: maxLines } };
    expect(truncateToolOutput(lines(30_000), "glob", overrides).startsWith("line 1\n")).toBe(true);
    expect(truncateToolOutput(lines(30_000), "grep", overrides).endsWith("\nline 30000")).toBe(true);
  });

  test("a limit of two lines preserves the first and the last line of a short output", () => {
    const cut = truncateToolOutput(lines(10), "shell", { toolLineLimits: { shell: 2 } });
    expect(cut).toBe("line 1 [... 8 lines omitted ...]\nline 10");
  });
});
