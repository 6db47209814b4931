import { getEventListeners } from "node:events";
import { mkdirSync, readdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

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
};

describe.each([
  ["ripgrep", undefined],
  ["a walk of its own", false],
] as const)("with %s [loop-4.2-12]", (_, ripgrep) => {
  test("matching files are returned, the last changed first, those with the same time by name [loop-3.3-26] [loop-3.3-27]", async () => {
    const { environment, root } = await openWorkspace(TREE, { ripgrep });
    for (const [path, seconds] of [
      ["a.ts", 100],
      ["src/b.ts", 300],
      ["src/deep/d.ts", 100],
    ] as const) {
      utimesSync(join(root, path), seconds, seconds);
    }
    expect(await environment.glob("**/*.ts")).toEqual(["src/b.ts", "a.ts", "src/deep/d.ts"]);
    expect(await environment.glob("**/*.ts", { maxResults: 2 })).toEqual(["src/b.ts", "a.ts"]);
    expect(await environment.glob("*.ts", { path: "src" })).toEqual(["src/b.ts"]);
    expect(await environment.glob(join(root, "src/*.ts"))).toEqual(["src/b.ts"]);
    expect(await environment.glob("src/b.ts")).toEqual(["src/b.ts"]);
  });

  test.each([
    ["**/*.js", ["dist/a.js", "node_modules/m/i.js"]],
    ["*.{env,ts}", [".env", "a.ts"]],
    ["dist/*", ["dist/a.js"]],
    ["node_modules/**/*.js", ["node_modules/m/i.js"]],
    ["src/**", ["src/b.ts", "src/c.txt", "src/deep/d.ts"]],
    ["**", [".env", ".gitignore", "a.ts", "src/b.ts", "src/c.txt", "src/deep/d.ts"]],
    [".git/*", [".git/HEAD"]],
    ["no/such/*", []],
  ])("%s finds the files it names; ignored files only if nothing else matches", async (pattern, expected) => {
    const { environment } = await openWorkspace(TREE, { ripgrep });
    expect((await environment.glob(pattern)).sort()).toEqual(expected);
  });

  test("an invalid pattern and a missing folder are errors [loop-3.3-28]", async () => {
    const { environment } = await openWorkspace(TREE, { ripgrep });
    for (const pattern of ["", "[a", "{a", "a\0"]) {
      await expect(environment.glob(pattern)).rejects.toMatchObject({ code: "environment.invalid_pattern" });
    }
    for (const pattern of ["*", "src/*"]) {
      await expect(environment.glob(pattern, { path: "missing" })).rejects.toMatchObject({
        code: "environment.file_not_found",
      });
    }
    await expect(environment.glob("*", { path: "a.ts" })).rejects.toMatchObject({
      code: "environment.not_a_directory",
    });
  });

  test("links are not followed and not listed", async () => {
    const { environment, root } = await openWorkspace(TREE, { ripgrep });
    symlinkSync(".", join(root, "loop"));
    symlinkSync("src", join(root, "link"));
    expect((await environment.glob("**/*.ts")).sort()).toEqual(["a.ts", "src/b.ts", "src/deep/d.ts"]);
    expect(await environment.glob("link/*.ts")).toEqual(["link/b.ts"]);
  });

  test("thirty stars over many files take no time", async () => {
    const { environment, root } = await openWorkspace({}, { ripgrep });
    for (let folder = 0; folder < 10; folder += 1) {
      mkdirSync(join(root, `d${folder}`));
      for (let file = 0; file < 50; file += 1) writeFileSync(join(root, `d${folder}`, "a".repeat(100) + file), "");
    }
    const started = performance.now();
    expect(await environment.glob(`**/${"*a".repeat(30)}b`)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(await environment.glob("d0/*")).toHaveLength(50);
  });

  test("a signal ends the search", async () => {
    const { environment } = await openWorkspace(TREE, { ripgrep });
    await expect(environment.glob("*", { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  test.each(["**/*.none", "**/*.txt"])("a signal that aborts during a search for %s ends it", async (pattern) => {
    // Reading this many folders takes far more than one turn of the event loop.
    const files = Array.from({ length: 100 }, (_, index) => [`d${index}/file.txt`, ""]);
    const { environment } = await openWorkspace(Object.fromEntries(files), { ripgrep });
    const stop = new AbortController();
    const searching = environment.glob(pattern, { signal: stop.signal });
    setImmediate(() => stop.abort());
    await expect(searching).rejects.toMatchObject({ name: "AbortError" });
  });

  test("a search that has ended does not listen to its signal any more", async () => {
    const { environment } = await openWorkspace(TREE, { ripgrep });
    const { signal } = new AbortController();
    expect(await environment.glob("**/*.ts", { signal })).toHaveLength(3);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

test("of more files of the same time than are read at once, the first by name come back", async () => {
  const names = Array.from({ length: 800 }, (_, index) => `part-${index % 7}/${String(index).padStart(4, "0")}.txt`);
  const { environment, root } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
  for (const name of names) utimesSync(join(root, name), 1000, 1000);
  utimesSync(join(root, "part-6/0006.txt"), 2000, 2000);
  const rest = names.filter((name) => name !== "part-6/0006.txt").sort();
  expect(await environment.glob("**/*.txt", { maxResults: 5 })).toEqual(["part-6/0006.txt", ...rest.slice(0, 4)]);
});

/** Returns the paths below a folder with a suffix, in the order of `glob`, but without using `glob`. */
function listByHand(root: string, suffix: string): string[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(root.length + 1), age: statSync(path).mtimeMs }));
  files.sort((one, other) => other.age - one.age || (one.path < other.path ? -1 : 1));
  return files.map(({ path }) => path);
}

test.each([7, 1000])(
  "of many folders that have not changed for a long time, the newest %i files are returned",
  async (amount) => {
    // Searches this package's own sources, because files that a test has just written count as changed.
    const root = join(import.meta.dirname, "../src");
    await using environment = await openLocalEnvironment({ root });
    const expected = listByHand(root, ".ts");
    expect(expected.length).toBeGreaterThan(100);
    expect(await environment.glob("**/*.ts", { maxResults: amount })).toEqual(expected.slice(0, amount));
  },
);

test("of many files in many folders, some linked, exactly all are returned in order", async () => {
  const names = Array.from({ length: 900 }, (_, index) => `a/part-${index % 30}/${index}.txt`);
  names.push("top.txt", ...Array.from({ length: 250 }, (_, index) => `b/many/${index}.txt`));
  const { environment, root, outside } = await openWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
  for (const [index, name] of names.entries()) utimesSync(join(root, name), index % 500, index % 500);
  symlinkSync(outside, join(root, "a/out"));
  renameSync(join(root, "a/part-3"), join(root, "c"));
  symlinkSync("../c", join(root, "a/part-3"));
  const found = await environment.glob("**/*.txt", { maxResults: 10_000 });
  expect(found).toHaveLength(names.length);
  expect(found).toEqual(listByHand(root, ".txt"));
});
