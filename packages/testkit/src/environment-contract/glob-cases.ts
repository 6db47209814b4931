import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench, timed } from "./environment-bench.ts";

const TREE = {
  ".env": "x",
  ".git/HEAD": "x",
  ".gitignore": "dist/\n",
  "a.ts": "x",
  "dist/a.js": "x",
  "node_modules/m/i.js": "x",
  "src/b.ts": "x",
  "src/c.txt": "x",
  "src/deep/d.ts": "x",
} as const;

/** Conformance cases for glob patterns. See loop: §3.3. */
export const globCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/glob-patterns",
    requirement: "loop-4.2-12",
    title: "Finds the files that match a pattern, and ignored files only if nothing else matches",
    async check({ environment, writeFiles }) {
      await writeFiles(TREE);
      for (const [pattern, paths] of [
        ["**/*.ts", ["a.ts", "src/b.ts", "src/deep/d.ts"]],
        ["*.ts", ["a.ts"]],
        ["src/?.ts", ["src/b.ts"]],
        ["src/[a-c].*", ["src/b.ts", "src/c.txt"]],
        ["src/[!b].*", ["src/c.txt"]],
        ["src/{b.ts,deep/*}", ["src/b.ts", "src/deep/d.ts"]],
        ["*.{env,ts}", [".env", "a.ts"]],
        ["src/**", ["src/b.ts", "src/c.txt", "src/deep/d.ts"]],
        ["**", [".env", ".gitignore", "a.ts", "src/b.ts", "src/c.txt", "src/deep/d.ts"]],
        ["**/*.js", ["dist/a.js", "node_modules/m/i.js"]],
        ["dist/*", ["dist/a.js"]],
        [".git/*", [".git/HEAD"]],
        ["src/b.ts", ["src/b.ts"]],
        ["src", []],
        ["no/such/*", []],
        ["*.TS", []],
      ] as const) {
        assert.deepEqual((await environment.glob(pattern)).sort(), paths, `the pattern ${pattern}`);
      }
    },
  },
  {
    id: "environment/glob-where",
    requirement: "loop-4.2-12",
    title: "Searches the requested folder, and returns paths relative to the working directory",
    async check({ environment, writeFiles }) {
      await writeFiles(TREE);
      assert.deepEqual(await environment.glob("*.ts", { path: "src" }), ["src/b.ts"]);
      assert.deepEqual((await environment.glob("**/*.ts", { path: "src" })).sort(), ["src/b.ts", "src/deep/d.ts"]);
      assert.deepEqual(await environment.glob("a.js", { path: "dist" }), ["dist/a.js"]);
      assert.deepEqual(await environment.glob("deep/*", { path: `${environment.workingDirectory}/src` }), [
        "src/deep/d.ts",
      ]);
    },
  },
  {
    id: "environment/glob-order",
    requirement: "loop-4.2-12",
    title: "Returns the most recently changed files first, and files of the same time by name",
    async check({ environment, writeFiles, needs, script }) {
      needs("times");
      await writeFiles(TREE);
      await script(
        "export TZ=UTC; touch -t 200101010101.01 a.ts src/deep/d.ts; touch -t 200301010101.01 src/b.ts; touch -t 200201010101.01 src/c.txt",
      );
      assert.deepEqual(await environment.glob("**/*.ts"), ["src/b.ts", "a.ts", "src/deep/d.ts"]);
      assert.deepEqual(await environment.glob("src/**"), ["src/b.ts", "src/c.txt", "src/deep/d.ts"]);
      assert.deepEqual(await environment.glob("**/*.ts", { maxResults: 2 }), ["src/b.ts", "a.ts"]);
    },
  },
  {
    id: "environment/glob-newest",
    requirement: "loop-4.2-12",
    title: "Returns a file that was just written first",
    async check({ environment, writeFiles, needs, script }) {
      needs("times", "writing");
      await writeFiles({ "b.txt": "1", "a.txt": "2", "c.txt": "3" });
      await script("touch -t 200101010101.01 a.txt b.txt c.txt");
      assert.deepEqual(await environment.glob("*.txt"), ["a.txt", "b.txt", "c.txt"]);
      await environment.writeFile("c.txt", "4");
      assert.deepEqual(await environment.glob("*.txt"), ["c.txt", "a.txt", "b.txt"]);
    },
  },
  {
    id: "environment/glob-limit",
    requirement: "loop-4.2-12",
    title: "Returns at most the requested number of files",
    async check({ environment, writeFiles }) {
      await writeFiles(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`g/${index}.txt`, ""])));
      for (const [maxResults, count] of [
        [1, 1],
        [29, 29],
        [99, 30],
        [undefined, 30],
      ] as const) {
        assert.equal((await environment.glob("g/*", { maxResults })).length, count);
      }
    },
  },
  {
    id: "environment/glob-refused",
    requirement: "loop-4.2-12",
    title: "Rejects an invalid pattern, a missing folder, and a folder that is a file",
    async check({ environment, writeFiles }) {
      await writeFiles(TREE);
      for (const pattern of ["", "[a", "{a", "a\0", "src/[z-a]x["]) {
        await assertRefusedAs(() => environment.glob(pattern), "invalid_pattern", JSON.stringify(pattern));
      }
      for (const pattern of ["*", "src/*"]) {
        const missing = () => environment.glob(pattern, { path: "missing" });
        await assertRefusedAs(missing, "file_not_found", "a missing folder");
      }
      await assertRefusedAs(() => environment.glob("*", { path: "a.ts" }), "not_a_directory", "a file");
    },
  },
  {
    id: "environment/glob-catastrophic",
    requirement: "loop-4.2-12",
    title: "Matches a pattern of thirty stars within its time limit",
    async check({ environment, writeFiles, toleranceMs }) {
      const names = Array.from({ length: 60 }, (_, index) => `d${index % 6}/${"a".repeat(100)}${index}`);
      await writeFiles(Object.fromEntries(names.map((name) => [name, ""])));
      for (const pattern of [`**/${"*a".repeat(30)}b`, `${"**/".repeat(30)}b`, `*/${"a*".repeat(30)}?b`]) {
        const { value, durationMs } = await timed(() => environment.glob(pattern));
        assert.deepEqual(value, []);
        assert.ok(durationMs < toleranceMs, `it took ${Math.round(durationMs)} ms`);
      }
      assert.equal((await environment.glob("d0/*")).length, 10);
    },
  },
];
