import assert from "node:assert/strict";
import type { GrepOptions, GrepResult } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import { assertRefusedAs, type EnvironmentBench, timed, toBytes } from "./environment-bench.ts";
import { SEARCH_TREE } from "./search-tree.ts";

function show({ matches }: GrepResult): string[] {
  return matches.map(({ path, line, text, isContext }) => `${path}${isContext ? "-" : ":"}${line}:${text}`);
}

async function search({ environment }: EnvironmentBench, pattern: string, options?: GrepOptions): Promise<string[]> {
  return show(await environment.grep(pattern, options));
}

/** Conformance cases for regular expression search. See loop: §3.3. */
export const grepCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/grep-lines",
    requirement: "loop-4.2-11",
    title: "Returns matching lines with path and number, in order, from hidden files but not from ignored ones",
    async check(bench) {
      await bench.writeFiles(SEARCH_TREE);
      assert.deepEqual(await search(bench, "needle"), [
        ".hidden/h.txt:1:needle in hidden",
        "a.txt:2:needle two",
        "src/app.ts:1:const needle = 1;",
        "src/app.ts:2:const b = needle;",
        "src/deep/app.ts:1:needle();",
      ]);
      assert.deepEqual(await bench.environment.grep("nothing like it"), { matches: [], truncated: false });
    },
  },
  {
    id: "environment/grep-case",
    requirement: "loop-4.2-11",
    title: "Ignores case only if requested",
    async check(bench) {
      await bench.writeFiles(SEARCH_TREE);
      assert.deepEqual(await search(bench, "NEEDLE", { path: "a.txt" }), ["a.txt:4:NEEDLE four"]);
      assert.deepEqual(await search(bench, "NeEdLe", { path: "a.txt", caseInsensitive: true }), [
        "a.txt:2:needle two",
        "a.txt:4:NEEDLE four",
      ]);
    },
  },
  {
    id: "environment/grep-where",
    requirement: "loop-4.2-11",
    title: "Applies ignore rules from parent folders, but searches an ignored folder or file that is named explicitly",
    async check(bench) {
      await bench.writeFiles({ ...SEARCH_TREE, "src/deep/x.log": "needle" });
      assert.deepEqual(await search(bench, "needle", { path: "src/deep" }), ["src/deep/app.ts:1:needle();"]);
      assert.deepEqual(await search(bench, "needle", { path: "ignored" }), ["ignored/x.txt:1:needle in ignored"]);
      assert.equal((await search(bench, "needle", { path: "node_modules" })).length, 1);
      assert.deepEqual(await search(bench, "needle", { path: "b.log" }), ["b.log:1:needle"]);
      // The nearest ignore file takes precedence over ignore files in parent folders.
      // This includes parent folders of the searched folder.
      await bench.writeFiles({ "lib/.gitignore": "!c.log\n/d.log\n", "lib/c.log": "needle", "lib/d.log": "needle" });
      assert.deepEqual(await search(bench, "needle", { path: "lib" }), ["lib/c.log:1:needle"]);
      assert.deepEqual(await bench.environment.glob("*.log", { path: "lib" }), ["lib/c.log"]);
    },
  },
  {
    id: "environment/grep-filter",
    requirement: "loop-4.2-11",
    title: "Limits the files with a glob, by name or by path",
    async check(bench) {
      await bench.writeFiles(SEARCH_TREE);
      const all = [".hidden/h.txt", "a.txt", "src/app.ts", "src/deep/app.ts"];
      for (const [glob, paths] of [
        ["*.ts", ["src/app.ts", "src/deep/app.ts"]],
        ["src/*.ts", ["src/app.ts"]],
        ["**/deep/**", ["src/deep/app.ts"]],
        ["*.{txt,js}", [".hidden/h.txt", "a.txt"]],
        ["!*.ts", [".hidden/h.txt", "a.txt"]],
        ["*", all],
        ["", all],
        ["--pre=x", []],
      ] as const) {
        const { matches } = await bench.environment.grep("needle", { glob, mode: "files" });
        assert.deepEqual(
          matches.map(({ path }) => path),
          paths,
          `the filter ${glob}`,
        );
      }
    },
  },
  {
    id: "environment/grep-modes",
    requirement: "loop-4.2-11",
    title: "Returns the files with a match, or the number of matches per file, in the other modes",
    async check({ environment, writeFiles }) {
      await writeFiles(SEARCH_TREE);
      const files = await environment.grep("needle", { mode: "files", path: "src" });
      assert.deepEqual(files, {
        matches: [
          { path: "src/app.ts", line: 0, text: "", isContext: false },
          { path: "src/deep/app.ts", line: 0, text: "", isContext: false },
        ],
        truncated: false,
      });
      const counts = await environment.grep("needle", { mode: "count", path: "src" });
      assert.deepEqual(counts, {
        matches: [
          { path: "src/app.ts", line: 0, text: "2", isContext: false },
          { path: "src/deep/app.ts", line: 0, text: "1", isContext: false },
        ],
        truncated: false,
      });
      assert.equal((await environment.grep("e", { mode: "count", path: "a.txt" })).matches[0]?.text, "3");
    },
  },
  {
    id: "environment/grep-context",
    requirement: "loop-4.2-11",
    title: "Returns context around matches, and no line twice",
    async check(bench) {
      await bench.writeFiles({ "a.txt": "1\n2\nx\n4\nx\n6\n7\n8\nx\n", "b.txt": "x\nb\n" });
      assert.deepEqual(await search(bench, "x", { contextLines: 1 }), [
        "a.txt-2:2",
        "a.txt:3:x",
        "a.txt-4:4",
        "a.txt:5:x",
        "a.txt-6:6",
        "a.txt-8:8",
        "a.txt:9:x",
        "b.txt:1:x",
        "b.txt-2:b",
      ]);
      const cut = await bench.environment.grep("x", { contextLines: 1, maxResults: 2 });
      assert.deepEqual(show(cut), ["a.txt-2:2", "a.txt:3:x", "a.txt-4:4", "a.txt:5:x", "a.txt-6:6"]);
      assert.equal(cut.truncated, true);
    },
  },
  {
    id: "environment/grep-limit",
    requirement: "loop-4.2-11",
    title: "Returns at most a hundred matches by default, and reports that there are more",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "x\n".repeat(120), "b.txt": "x\n".repeat(130) });
      for (const [maxResults, count, truncated] of [
        [undefined, 100, true],
        [1, 1, true],
        [249, 249, true],
        [250, 250, false],
        [9_999, 250, false],
      ] as const) {
        const result = await environment.grep("x", { maxResults });
        assert.deepEqual([result.matches.length, result.truncated], [count, truncated], `at most ${maxResults}`);
      }
      const files = await environment.grep("x", { maxResults: 1, mode: "files" });
      assert.deepEqual([files.matches.length, files.truncated], [1, true]);
    },
  },
  {
    id: "environment/grep-hidden",
    requirement: "loop-4.2-11",
    title: "Skips excluded files as if they did not exist, without counting them",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "x\n".repeat(5), "sub/a.txt": "x\ny\n", "z.txt": "x\n" });
      const isHidden = (path: string): boolean => path === "a.txt" || path === "z.txt";
      const match = { path: "sub/a.txt", line: 1, text: "x", isContext: false };
      for (const maxResults of [undefined, 1]) {
        const found = await environment.grep("x", { maxResults, isHidden });
        assert.deepEqual(found, { matches: [match], truncated: false }, `at most ${maxResults}`);
      }
      for (const mode of ["files", "count"] as const) {
        const { matches, truncated } = await environment.grep("x", { mode, isHidden, maxResults: 1 });
        assert.deepEqual([matches.map(({ path }) => path), truncated], [["sub/a.txt"], false], mode);
      }
      const named = await environment.grep("x", { path: "a.txt", isHidden });
      assert.deepEqual(named, { matches: [], truncated: false }, "an excluded file that is named explicitly");
      const below = await environment.grep("[xy]", { path: "sub", isHidden: (path) => path === "sub/a.txt" });
      assert.deepEqual(below, { matches: [], truncated: false }, "an excluded folder that is named explicitly");
    },
  },
  {
    id: "environment/grep-refused",
    requirement: "loop-4.2-11",
    title: "Rejects an invalid expression or filter with environment.invalid_pattern",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "x\n" });
      for (const pattern of ["need(", "[a", "(?=a)", "(?<!a)b", "(a)\\1", "a\nb", "a\0b", "*a", "a{2,1}"]) {
        await assertRefusedAs(() => environment.grep(pattern), "invalid_pattern", JSON.stringify(pattern));
        await assertRefusedAs(() => environment.grep(pattern, { path: "a.txt" }), "invalid_pattern", pattern);
      }
      await assertRefusedAs(() => environment.grep("x", { glob: "[a" }), "invalid_pattern", "an open bracket");
    },
  },
  {
    id: "environment/grep-dashes",
    requirement: "loop-4.2-11",
    title: "Treats a pattern that looks like an option or shell syntax as text",
    async check(bench) {
      const patterns = [
        "--pre=./p.sh",
        "-f/etc/passwd",
        "--files",
        "--",
        "-e",
        "`touch planted`",
        "' ; touch planted '",
      ];
      await bench.writeFiles({ "a.txt": patterns.map((pattern) => `before ${pattern} after\n`).join("") });
      for (const [index, pattern] of patterns.entries()) {
        const line = `a.txt:${index + 1}:before ${pattern} after`;
        assert.ok((await search(bench, pattern)).includes(line), pattern);
        assert.ok((await search(bench, pattern, { path: "a.txt" })).includes(line), pattern);
      }
      assert.equal(await bench.environment.exists("planted"), false);
    },
  },
  {
    id: "environment/grep-catastrophic",
    requirement: "loop-4.2-11",
    title: "Searches within its time limit for an expression on which other regex engines hang",
    async check({ environment, writeFiles, toleranceMs }) {
      await writeFiles({ "a.txt": `${"a".repeat(5_000)}b\n`, "b.txt": `${"x".repeat(3_000)}\n` });
      for (const [pattern, count] of [
        ["^(a+)+$", 0],
        ["(a+)+$", 0],
        ["^(a|aa)+$", 0],
        ["^(a+)+b$", 1],
        ["(x+x+)+y", 0],
        [`${".*".repeat(30)}y`, 0],
      ] as const) {
        const { value, durationMs } = await timed(() => environment.grep(pattern));
        assert.equal(value.matches.length, count, pattern);
        assert.ok(durationMs < toleranceMs, `${pattern} took ${Math.round(durationMs)} ms`);
      }
    },
  },
  {
    id: "environment/grep-binary",
    requirement: "loop-4.2-11",
    title: "Searches a file up to the point where it turns out to be binary, without affecting other results",
    async check(bench) {
      const late = Buffer.concat([toBytes(`needle 1\n${"x\n".repeat(100_000)}`), toBytes("\0\nneedle 2\n")]);
      await bench.writeFiles({
        "a.txt": "needle\n",
        "b.dat": late,
        "c.dat": toBytes("needle\0needle"),
        "d.txt": "needle\n",
      });
      assert.deepEqual(await search(bench, "needle"), ["a.txt:1:needle", "b.dat:1:needle 1", "d.txt:1:needle"]);
      const countIn = async (pattern: string, path: string): Promise<string[]> => {
        const { matches } = await bench.environment.grep(pattern, { mode: "count", path });
        return matches.map(({ text }) => text);
      };
      assert.deepEqual(await countIn("needle", "b.dat"), ["1"], "the count of a file that is named explicitly");
      assert.deepEqual(await countIn("^$", "c.dat"), [], "a NUL must not end a line");
    },
  },
  {
    id: "environment/grep-encodings",
    requirement: "loop-4.2-11",
    title: "Excludes line endings and the byte order mark, and reads invalid UTF-8 as U+FFFD or Latin-1",
    async check(bench) {
      await bench.writeFiles({
        "a.txt": "\uFEFFneedle\r\nneedle \uFEFF\r\n",
        "b.txt": Buffer.concat([toBytes("needle "), Uint8Array.of(0xff), toBytes("\n")]),
        "c.txt": "ünï needle 😀",
      });
      const found = (await search(bench, "^needle")).map((line) => line.replace(/ÿ$/, "\uFFFD"));
      assert.deepEqual(found, ["a.txt:1:needle", "a.txt:2:needle \uFEFF", "b.txt:1:needle \uFFFD"]);
      assert.deepEqual(await search(bench, "^ünï needle .$"), ["c.txt:1:ünï needle 😀"]);
      assert.deepEqual(await search(bench, "needle$"), ["a.txt:1:needle"]);
    },
  },
  {
    id: "environment/grep-long-lines",
    requirement: "loop-4.2-11",
    title: "Truncates a line of millions of characters",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.min.js": `needle${"x".repeat(3_000_000)}\nneedle 2\n` });
      const { matches } = await environment.grep("needle");
      assert.deepEqual(
        matches.map(({ line, text }) => [line, text.length]),
        [
          [1, 1_001],
          [2, 8],
        ],
      );
    },
  },
  {
    id: "environment/grep-signal",
    requirement: "loop-4.2-11",
    title: "Starts no search if the signal has already aborted",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "x\n" });
      for (const find of [
        () => environment.grep("x", { signal: AbortSignal.abort() }),
        () => environment.glob("*", { signal: AbortSignal.abort() }),
      ]) {
        const outcome = await outcomeOf<unknown>(find);
        assert.ok("error" in outcome, "it was not ended");
        assert.ok(outcome.error instanceof Error && outcome.error.name === "AbortError", String(outcome.error));
      }
    },
  },
];
