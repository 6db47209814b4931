import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

/** Lets the model make one tool call, and returns the workspace folder. */
async function edit(file: string, before: string | Buffer, args: Readonly<Record<string, string>>) {
  const tool = "content" in args ? "write_file" : "edit_file";
  const cwd = await makeFolder();
  await writeFile(join(cwd, file), before);
  const { baseUrl } = await startMockModel("anthropic", [
    { name: "read_file", arguments: { file_path: file } },
    { name: tool, arguments: { file_path: file, ...args } },
    "Done.",
  ]);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--env", "local", "--mode", "auto"];
  const run = await switchyard([...words, "--state", await makeFolder(), "Edit it."], {
    cwd,
    env: { ANTHROPIC_API_KEY: "test-key-that-is-not-real" },
  });
  expect(run.exitCode, run.stderr).toBe(0);
  return { cwd, bytes: await readFile(join(cwd, file)) };
}

test.each([2, 4, 8])("a Makefile edited with %i spaces keeps its tabs: make runs it", async (width) => {
  const indent = " ".repeat(width);
  const { cwd } = await edit("Makefile", "all:\n\t@if true; then \\\n\t\techo one; \\\n\tfi\n", {
    old_string: `${indent}@if true; then \\\n${indent}${indent}echo one; \\\n${indent}fi`,
    new_string: `${indent}@if true; then \\\n${indent}${indent}echo one; \\\n${indent}${indent}echo two; \\\n${indent}fi\n${indent}@echo three`,
  });
  const { stdout } = await execa("make", ["--silent", "all"], { cwd });
  expect(stdout).toBe("one\ntwo\nthree");
});

test("line ends, mark and encoding of a file stay when a model edits or replaces it", async () => {
  const crlf = await edit("a.txt", "\ufeffone\r\ntwo\r\n", { content: "one\nthree\n" });
  expect(crlf.bytes.toString()).toBe("\ufeffone\r\nthree\r\n");
  const latin1 = await edit("b.txt", Buffer.from("un caf\u00e9\nol\u00e9\n", "latin1"), {
    old_string: "caf\u00e9",
    new_string: "th\u00e9",
  });
  expect(latin1.bytes.toString("latin1")).toBe("un th\u00e9\nol\u00e9\n");
  const quotes = await edit("c.md", "He said \u201chello\u201d \u2013 it\u2019s fine\n", {
    old_string: `He said "hello" - it's fine`,
    new_string: `He said "goodbye" - it's fine`,
  });
  expect(quotes.bytes.toString()).toBe("He said \u201cgoodbye\u201d \u2013 it\u2019s fine\n");
});
