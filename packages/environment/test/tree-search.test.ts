import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExecutionEnvironment, GlobOptions, GrepOptions } from "@switchyard/contracts";
import type { SearchTree, TreeEntry } from "@switchyard/environment";
import { globTree, grepTree } from "@switchyard/environment";
import { openLocalEnvironment } from "@switchyard/environment/local";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createDiskTree } from "./disk-tree.ts";
import { openWorkspace } from "./open-workspace.ts";

const NAMES = [
  "a",
  "a.b",
  "a-b",
  "b.log",
  "A.ts",
  "c.ts",
  ".hidden",
  "dist",
  "src",
  "node_modules",
  ".git",
  "é",
  "😀",
  "～",
  "x y",
];
const LINES = [
  "needle",
  "Needle two",
  "needle needle",
  "",
  "  x",
  "a\r",
  "needle\r",
  "ünï needle",
  "\u0000",
  "\ufeffneedle",
  "aab",
];
const RULES = [
  "dist",
  "/dist",
  "dist/",
  "*.log",
  "!b.log",
  "src/*",
  "!src/c.ts",
  "**/a",
  "a/**",
  ".*",
  "# no rule",
  "x\\ y",
  "a?b",
  "[a-b].log",
  "/src/dist/",
  "node_modules",
  "*",
  "!*/",
];
const PATTERNS = ["needle", "^needle", "needle$", "a+b", "x|ü", "^$", "n.*e", "[^a]", "Needle"];
const FILTERS = ["*.ts", "!*.log", "src/**", "**/a*", "*.{ts,log}", "a", "/dist/*"];
const GLOBS = [
  "**",
  "*",
  "**/*.ts",
  "*.{ts,log}",
  "src/**",
  "src/*",
  "dist/**",
  "**/a*/*",
  ".*",
  "**/.*",
  "a/*",
  "node_modules/**",
  ".git/*",
  "no/*",
];
const FOLDERS = [undefined, "src", "a", "dist", "node_modules"];

const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
// A carriage return without a line feed is the end of another, empty line to ripgrep, and to it alone.
const content = fc
  .tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 6 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded || lines.at(-1)?.endsWith("\r") === true ? "\n" : ""));
const rules = fc.tuple(
  fc.constantFrom("", "src/", "a/", "dist/"),
  fc.array(fc.constantFrom(...RULES), { maxLength: 4 }).map((lines) => lines.join("\n")),
);
const tree = fc.record({
  files: fc.array(fc.tuple(path, content, fc.integer({ min: 1, max: 4 })), { maxLength: 16 }),
  rules: fc.array(rules, { maxLength: 3 }),
  links: fc.array(fc.tuple(path, fc.constantFrom(".", "..", "src", "/", "a.b", "nothing")), { maxLength: 3 }),
});

type Shape = typeof tree extends fc.Arbitrary<infer T> ? T : never;

const BINARY: Shape = { files: [["node_modules", "\0", 1]], rules: [], links: [] };
/** Ignore rules of a folder re-include paths that rules above it exclude. */
const REINCLUDED: Shape = {
  files: [
    ["a/b.log", "needle", 1],
    ["a/dist/c.ts", "needle", 2],
    ["a/src/dist/c.ts", "needle", 3],
  ],
  rules: [
    ["", "[a-b].log\ndist\na/**/src"],
    ["a/", "!b.log\n!dist"],
  ],
  links: [],
};

/** Writes the entries of a tree. Entries that conflict with an existing one are skipped. */
function writeTree(root: string, { files, rules: ruled, links }: Shape): void {
  const attempt = (name: string, write: (path: string) => void): void => {
    try {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      write(join(root, name));
    } catch {
      // Another entry already exists at the path.
    }
  };
  for (const [name, text, seconds] of files) {
    attempt(name, (path) => {
      writeFileSync(path, text);
      utimesSync(path, seconds, seconds);
    });
  }
  for (const [folder, text] of ruled) attempt(`${folder}.gitignore`, (path) => writeFileSync(path, text));
  for (const [name, target] of links) attempt(name, (path) => symlinkSync(target, path));
}

const grepCall = fc.record({
  pattern: fc.constantFrom(...PATTERNS),
  options: fc.record<GrepOptions>({
    path: fc.constantFrom(...FOLDERS),
    glob: fc.option(fc.constantFrom(...FILTERS), { nil: undefined }),
    mode: fc.constantFrom("content", "files", "count"),
    contextLines: fc.constantFrom(0, 0, 1, 2),
    caseInsensitive: fc.boolean(),
    maxResults: fc.constantFrom(1, 3, 100),
  }),
});
const globCall = fc.record({
  pattern: fc.constantFrom(...GLOBS),
  options: fc.record<GlobOptions>({ path: fc.constantFrom(...FOLDERS), maxResults: fc.constantFrom(2, 1000) }),
});

/** Resolves with the result of a call, or with its error code. */
async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  return call().catch((error: unknown) => (error instanceof Error && "code" in error ? { code: error.code } : error));
}

test("a tree is searched as the local environment searches it, with ripgrep and without, to the byte [loop-4.2-11] [loop-4.2-12]", async () => {
  const check = async (
    shape: Shape,
    searches: { pattern: string; options: GrepOptions }[],
    listings: { pattern: string; options: GlobOptions }[],
  ): Promise<void> => {
    const { root, environment } = await openWorkspace();
    await using builtIn = await openLocalEnvironment({ root, ripgrep: false });
    writeTree(root, shape);
    const disk = createDiskTree(root);
    const environments: ExecutionEnvironment[] = [environment, builtIn];
    for (const { pattern, options } of searches) {
      const found = await outcomeOf(() => grepTree(disk, pattern, options));
      for (const path of environments) expect(await outcomeOf(() => path.grep(pattern, options))).toEqual(found);
    }
    for (const { pattern, options } of listings) {
      const found = await outcomeOf(() => globTree(disk, pattern, options));
      for (const path of environments) expect(await outcomeOf(() => path.glob(pattern, options))).toEqual(found);
    }
  };
  const [searches, listings] = [
    fc.array(grepCall, { minLength: 4, maxLength: 4 }),
    fc.array(globCall, { minLength: 4, maxLength: 4 }),
  ];
  await fc.assert(fc.asyncProperty(tree, searches, listings, check), {
    numRuns: 60,
    examples: [
      [BINARY, [{ pattern: "^$", options: { path: "node_modules", mode: "count" } }], []],
      [REINCLUDED, [{ pattern: "needle", options: { path: "a" } }], [{ pattern: "**", options: { path: "a" } }]],
    ],
  });
});

/** Creates a tree of many small files, whose entries are generated while it is read. */
function createLargeTree(count: number, line: string): SearchTree {
  const bytes = new TextEncoder().encode(`${line}\n`.repeat(3));
  return {
    root: { real: "/large" },
    stat: async () => ({ kind: "directory", size: 0, modifiedMs: 0 }),
    async *list() {
      let portion: TreeEntry[] = [];
      for (let number = 0; number < count; number += 1) {
        const folder = `folder-${number % 100}`;
        if (number < 100) portion.push({ path: folder, kind: "directory", size: 0, modifiedMs: 0 });
        portion.push({ path: `${folder}/${number}.txt`, kind: "file", size: bytes.length, modifiedMs: number % 7 });
        if (portion.length < 500) continue;
        yield portion;
        portion = [];
      }
      yield portion;
    },
    async *read(paths) {
      for (const one of paths) if (!one.endsWith(".gitignore")) yield { path: one, content: [bytes] };
    },
  };
}

/** Calls a function and resolves with the number of event loop turns until it has finished. */
async function turnsDuring(call: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await call();
  isOver = true;
  return turns;
}

test("a large tree is searched in short turns, and a signal ends the search in between", async () => {
  const large = createLargeTree(15_000, "a line without it");
  const started = process.cpuUsage();
  const turns = await turnsDuring(async () => {
    expect(await grepTree(large, "(a+)+$")).toEqual({ matches: [], truncated: false });
    expect(await globTree(large, `**/${"*1".repeat(30)}`)).toEqual([]);
    expect(await globTree(large, "**/14999.txt")).toEqual(["folder-99/14999.txt"]);
  });
  // The average CPU time is compared, which excludes the time of other processes.
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000 / turns).toBeLessThan(20);
  const searches = [
    (signal: AbortSignal) => grepTree(large, "x", { signal }),
    (signal: AbortSignal) => globTree(large, "**", { signal }),
  ];
  for (const search of searches) {
    await expect(search(AbortSignal.timeout(1))).rejects.toMatchObject({ name: "TimeoutError" });
  }
});

test("an expression that is slow elsewhere is answered at once in a tree", async () => {
  const slow = createLargeTree(1, `${"a".repeat(5000)}b`);
  const started = performance.now();
  expect((await grepTree(slow, "^(a+)+$")).matches).toEqual([]);
  expect((await grepTree(slow, "^(a+)+b$", { mode: "count" })).matches).toMatchObject([{ text: "3" }]);
  expect(performance.now() - started).toBeLessThan(30_000);
});

test.each(["need(", "[a", "(?=a)", "a\nb"])("the expression %j is refused in a tree", async (pattern) => {
  const large = createLargeTree(1, "x");
  await expect(grepTree(large, pattern)).rejects.toMatchObject({ code: "environment.invalid_pattern" });
  await expect(globTree(large, "[a")).rejects.toMatchObject({ code: "environment.invalid_pattern" });
  await expect(grepTree(large, "x", { path: ".." })).rejects.toMatchObject({
    code: "environment.path_outside_workspace",
  });
});
