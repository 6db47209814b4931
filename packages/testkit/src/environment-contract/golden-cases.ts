import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { type EnvironmentBench, toBytes } from "./environment-bench.ts";

/** A small project. */
const PROJECT: Readonly<Record<string, string | Uint8Array>> = {
  ".gitignore": "build/\n*.tmp\n!keep.tmp\n",
  "README.md": "# Größe\n\nA *small* project.\n",
  "build/out.js": "export const size = 1;\n",
  "docs/über uns.md": "size matters\r\nnot\r\n",
  "keep.tmp": "size\n",
  "lib/a.js": "export const size = 1;\nexport const other = 2;\n",
  "lib/data.bin": Uint8Array.of(0, 1, 2, 255),
  "lib/inner/b.js": "import { size } from '../a.js';\n\n// size again\nconsole.log(size);",
  "old.tmp": "size\n",
};

/** Expected results of operations on the small project. They are the same in every environment. */
const EXPECTED_OUTPUT = {
  list: [
    { name: ".gitignore", kind: "file", size: 23 },
    { name: "README.md", kind: "file", size: 30 },
    { name: "build", kind: "directory" },
    { name: "build/out.js", kind: "file", size: 23 },
    { name: "docs", kind: "directory" },
    { name: "docs/über uns.md", kind: "file", size: 19 },
    { name: "keep.tmp", kind: "file", size: 5 },
    { name: "lib", kind: "directory" },
    { name: "lib/a.js", kind: "file", size: 47 },
    { name: "lib/data.bin", kind: "file", size: 4 },
    { name: "lib/inner", kind: "directory" },
    { name: "lib/inner/b.js", kind: "file", size: 65 },
    { name: "old.tmp", kind: "file", size: 5 },
  ],
  grep: [
    "docs/über uns.md:1:size matters",
    "docs/über uns.md-2:not",
    "keep.tmp:1:size",
    "lib/a.js:1:export const size = 1;",
    "lib/a.js-2:export const other = 2;",
    "lib/inner/b.js:1:import { size } from '../a.js';",
    "lib/inner/b.js-2:",
    "lib/inner/b.js:3:// size again",
    "lib/inner/b.js:4:console.log(size);",
  ],
  counts: ["docs/über uns.md 1", "keep.tmp 1", "lib/a.js 1", "lib/inner/b.js 3"],
  glob: [".gitignore", "README.md", "docs/über uns.md", "keep.tmp", "lib/a.js", "lib/data.bin", "lib/inner/b.js"],
} as const;

/** Conformance cases that compare results with the exact expected values, for one small project. */
export const goldenCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/golden-files",
    requirement: "loop-4.3-5",
    title: "Lists and reads the same tree identically in every environment, to the byte",
    async check({ environment, writeFiles }) {
      await writeFiles(PROJECT);
      assert.deepEqual(await environment.listDirectory(".", 10), EXPECTED_OUTPUT.list);
      for (const [path, content] of Object.entries(PROJECT)) {
        const bytes = typeof content === "string" ? toBytes(content) : content;
        assert.deepEqual([...(await environment.readBytes(path))], [...bytes], path);
        assert.equal((await environment.stat(path)).size, bytes.length, path);
        if (typeof content === "string") assert.equal(await environment.readFile(path), content);
      }
      assert.equal(await environment.readFile("lib/inner/b.js", { offset: 3, limit: 1 }), "// size again\n");
    },
  },
  {
    id: "environment/golden-searches",
    requirement: "loop-4.3-5",
    title: "Searches the same tree with identical results in every environment, to the byte",
    async check({ environment, writeFiles }) {
      await writeFiles(PROJECT);
      const lines = await environment.grep("\\bsize\\b", { contextLines: 1 });
      assert.equal(lines.truncated, false);
      assert.deepEqual(
        lines.matches.map(({ path, line, text, isContext }) => `${path}${isContext ? "-" : ":"}${line}:${text}`),
        EXPECTED_OUTPUT.grep,
      );
      const counts = await environment.grep("size", { mode: "count" });
      assert.deepEqual(
        counts.matches.map(({ path, text }) => `${path} ${text}`),
        EXPECTED_OUTPUT.counts,
      );
      assert.deepEqual((await environment.glob("**")).sort(), EXPECTED_OUTPUT.glob);
      assert.deepEqual(await environment.glob("**/out.js"), ["build/out.js"]);
    },
  },
  {
    id: "environment/golden-commands",
    requirement: "loop-4.3-5",
    title: "Prints the same output for the same command line and tree in every environment, to the byte",
    async check({ environment, writeFiles, needs }) {
      needs("shell");
      await writeFiles(PROJECT);
      const line =
        "cd lib && for f in *.js inner/*.js; do wc -l < \"$f\" | tr -d ' '; sed -n '1p' \"$f\"; done; cat ../docs/*";
      const { stdout, stderr, exitCode } = await environment.shell(line);
      const expected = "2\nexport const size = 1;\n3\nimport { size } from '../a.js';\nsize matters\r\nnot\r\n";
      assert.deepEqual([stdout, stderr, exitCode], [expected, "", 0]);
    },
  },
];
