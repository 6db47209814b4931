import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkspace, type Workspace } from "../../test/open-workspace.ts";
import { callTool, createAnthropicProfile, createOpenAiProfile, type ToolCallResult } from "../index.ts";

function call(workspace: Workspace, name: string, args: Record<string, unknown>): Promise<ToolCallResult> {
  const profile = createOpenAiProfile({ model: "gpt" });
  return callTool({ profile, environment: workspace.environment, name, arguments: args });
}

describe("grep", () => {
  const files = { "a.ts": "needle\nother\n", "src/b.py": "x\nNeedle\n", "src/c.ts": "needle needle\n" };

  test("matching lines come with path and number, from the whole working directory [loop-3.3-20] [loop-3.3-21] [loop-3.3-23]", async () => {
    await using workspace = await openWorkspace(files);
    const { content } = await call(workspace, "grep", { pattern: "n[e]+dle" });
    expect(content.split("\n").sort()).toEqual(["a.ts:1:needle", "src/c.ts:1:needle needle"]);
  });

  test("path, glob and case narrow or widen it [loop-3.3-21] [loop-3.3-22] [loop-3.3-23]", async () => {
    await using workspace = await openWorkspace(files);
    const args = { pattern: "needle", path: "src", glob_filter: "*.py" };
    expect((await call(workspace, "grep", args)).content).toBe("No matches found.");
    expect((await call(workspace, "grep", { ...args, case_insensitive: true })).content).toBe("src/b.py:2:Needle");
  });

  test("100 matches come back unless another number is asked for [loop-3.3-24]", async () => {
    await using workspace = await openWorkspace({ "a.txt": "hit\n".repeat(150) });
    const many = await call(workspace, "grep", { pattern: "hit" });
    expect(many.details).toEqual({ matches: 100, truncated: true });
    expect(many.content).toContain("Only the first 100 results are shown.");
    expect((await call(workspace, "grep", { pattern: "hit", max_results: 3 })).details).toEqual({
      matches: 3,
      truncated: true,
    });
    expect((await call(workspace, "grep", { pattern: "hit", max_results: 150 })).details).toEqual({
      matches: 150,
      truncated: false,
    });
  });

  test("an invalid expression and a missing path are errors [loop-3.3-25]", async () => {
    await using workspace = await openWorkspace(files);
    expect(await call(workspace, "grep", { pattern: "(" })).toMatchObject({
      isError: true,
      details: { error: { code: "environment.invalid_pattern" } },
    });
    expect(await call(workspace, "grep", { pattern: "x", path: "no" })).toMatchObject({
      isError: true,
      details: { error: { code: "environment.file_not_found" } },
    });
  });

  test("a pattern that looks like an option is a pattern", async () => {
    await using workspace = await openWorkspace({ "a.txt": "--pre=x\n" });
    expect((await call(workspace, "grep", { pattern: "--pre=x" })).content).toBe("a.txt:1:--pre=x");
  });

  test("the Anthropic profile has three output modes [loop-3.5-6]", async () => {
    await using workspace = await openWorkspace(files);
    const profile = createAnthropicProfile({ model: "claude" });
    const grep = async (mode: string): Promise<string[]> => {
      const args = { pattern: "needle", output_mode: mode, glob_filter: "*.ts" };
      const result = await callTool({ profile, environment: workspace.environment, name: "grep", arguments: args });
      return result.content.split("\n").sort();
    };
    expect(await grep("content")).toEqual(["a.ts:1:needle", "src/c.ts:1:needle needle"]);
    expect(await grep("files_with_matches")).toEqual(["a.ts", "src/c.ts"]);
    expect(await grep("count")).toEqual(["a.ts:1", "src/c.ts:1"]);
  });
});

describe("glob", () => {
  test("files come newest first, from the working directory or the path [loop-3.3-26] [loop-3.3-27]", async () => {
    await using workspace = await openWorkspace({ "old.ts": "", "src/new.ts": "", "src/mid.ts": "", "x.md": "" });
    await utimes(join(workspace.root, "old.ts"), 1_000, 1_000);
    await utimes(join(workspace.root, "src/mid.ts"), 2_000, 2_000);
    expect((await call(workspace, "glob", { pattern: "**/*.ts" })).content).toBe("src/new.ts\nsrc/mid.ts\nold.ts");
    expect((await call(workspace, "glob", { pattern: "*.ts", path: "src" })).content).toBe("src/new.ts\nsrc/mid.ts");
    expect((await call(workspace, "glob", { pattern: "*.rs" })).content).toBe("No files found.");
  });

  test("an invalid pattern and a missing path are errors [loop-3.3-28]", async () => {
    await using workspace = await openWorkspace();
    expect(await call(workspace, "glob", { pattern: "*", path: "no" })).toMatchObject({ isError: true });
    expect(await call(workspace, "glob", { pattern: "a\0b" })).toMatchObject({ isError: true });
  });
});
