import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GrepResult } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import type { TestWorkspace } from "./open-workspace.ts";
import { openWorkspace } from "./open-workspace.ts";

const TREE = {
  ".gitignore": "ignored/\n*.log\n",
  ".git/config": "needle",
  ".hidden/h.txt": "needle in hidden\n",
  "a.txt": "one\nneedle two\nthree\nNEEDLE four\n",
  "b.log": "needle\n",
  "bin.dat": Buffer.from("needle\0needle"),
  "ignored/x.txt": "needle in ignored\n",
  "node_modules/m/i.js": "needle in package\n",
  "src/.gitignore": "/local.ts\n",
  "src/app.ts": "const needle = 1;\r\nconst b = needle;\r\n",
  "src/deep/app.ts": "needle();",
  "src/local.ts": "needle",
};

const lines = ({ matches }: GrepResult): string[] =>
  matches.map(({ path, line, text, isContext }) => `${path}${isContext ? "-" : ":"}${line}:${text}`);

// Searches with and without ripgrep must return the same results for the same files.
describe.each([
  ["ripgrep", undefined],
  ["the search of its own", false],
] as const)("with %s [loop-4.2-11]", (_, ripgrep) => {
  const open = (files: Parameters<typeof openWorkspace>[0] = TREE): Promise<TestWorkspace> =>
    openWorkspace(files, { ripgrep });

  test("files are searched as the text they are: UTF-8, UTF-16 with a mark, Latin-1 and Windows-1252", async () => {
    const text = "one\r\nun café €\r\nCAFÉ à la carte\r\nthé";
    const latin1 = Buffer.from(text.replace("€", ""), "latin1");
    const { environment } = await open({
      "be.txt": Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
      "latin1.txt": latin1,
      "le.txt": Buffer.from(`\ufeff${text}`, "utf16le"),
      "utf8.txt": text,
      "windows.txt": Buffer.from([0xe9, 0x80]),
    });
    const found = ["be.txt:2:un café €", "latin1.txt:2:un café ", "le.txt:2:un café €", "utf8.txt:2:un café €"];
    expect(lines(await environment.grep("n café"))).toEqual(found);
    expect(lines(await environment.grep("^un caf.{1,3} |carte$|^one"))).toContain("be.txt:1:one");
    expect(lines(await environment.grep("café à", { caseInsensitive: true }))).toEqual([
      "be.txt:3:CAFÉ à la carte",
      "latin1.txt:3:CAFÉ à la carte",
      "le.txt:3:CAFÉ à la carte",
      "utf8.txt:3:CAFÉ à la carte",
    ]);
    expect(lines(await environment.grep("é€"))).toEqual(["windows.txt:1:é€"]);
    expect(lines(await environment.grep("(?:à){1}\\s+la"))).toHaveLength(4);
    expect(lines(await environment.grep("carte", { path: "le.txt" }))).toEqual(["le.txt:3:CAFÉ à la carte"]);
    const counts = await environment.grep("café", { mode: "count", caseInsensitive: true });
    expect(counts.matches.map(({ path, text: count }) => `${path} ${count}`)).toEqual([
      "be.txt 2",
      "latin1.txt 2",
      "le.txt 2",
      "utf8.txt 2",
    ]);
    expect(lines(await environment.grep("thé$", { path: "latin1.txt" }))).toEqual(["latin1.txt:4:thé"]);
    const context = await environment.grep("café", { path: "be.txt", contextLines: 1 });
    expect(lines(context)).toEqual(["be.txt-1:one", "be.txt:2:un café €", "be.txt-3:CAFÉ à la carte"]);
  });

  test("matching lines come with path and line number, in order [loop-3.3-20] [loop-3.3-21] [loop-3.3-23]", async () => {
    const { environment } = await open();
    expect(lines(await environment.grep("needle"))).toEqual([
      ".hidden/h.txt:1:needle in hidden",
      "a.txt:2:needle two",
      "src/app.ts:1:const needle = 1;",
      "src/app.ts:2:const b = needle;",
      "src/deep/app.ts:1:needle();",
    ]);
    expect(lines(await environment.grep("needle", { path: "a.txt", caseInsensitive: true }))).toEqual([
      "a.txt:2:needle two",
      "a.txt:4:NEEDLE four",
    ]);
  });

  test("a folder is searched with the rules above it; an ignored one, or a file, when it is named", async () => {
    const { environment, root } = await open();
    writeFileSync(join(root, "src/deep/x.log"), "needle");
    expect(lines(await environment.grep("needle", { path: "src/deep" }))).toEqual(["src/deep/app.ts:1:needle();"]);
    expect(lines(await environment.grep("needle", { path: "ignored" }))).toEqual(["ignored/x.txt:1:needle in ignored"]);
    expect(lines(await environment.grep("needle", { path: "node_modules" }))).toHaveLength(1);
    expect(lines(await environment.grep("needle", { path: join(root, "b.log") }))).toEqual(["b.log:1:needle"]);
  });

  test.each([
    ["*.ts", ["src/app.ts", "src/deep/app.ts"]],
    ["src/*.ts", ["src/app.ts"]],
    ["**/deep/**", ["src/deep/app.ts"]],
    ["*.{txt,js}", [".hidden/h.txt", "a.txt"]],
    ["!*.ts", [".hidden/h.txt", "a.txt"]],
    ["*", [".hidden/h.txt", "a.txt", "src/app.ts", "src/deep/app.ts"]],
  ])("the filter %s narrows the files [loop-3.3-22]", async (glob, expected) => {
    const { environment } = await open();
    const { matches } = await environment.grep("needle", { glob, mode: "files" });
    expect(matches.map(({ path }) => path)).toEqual(expected);
  });

  test("the modes give files and counts", async () => {
    const { environment } = await open();
    expect((await environment.grep("needle", { mode: "files" })).matches[1]).toEqual({
      path: "a.txt",
      line: 0,
      text: "",
      isContext: false,
    });
    const counts = await environment.grep("needle", { mode: "count", path: "src" });
    expect(counts.matches.map(({ path, text }) => [path, text])).toEqual([
      ["src/app.ts", "2"],
      ["src/deep/app.ts", "1"],
    ]);
    expect((await environment.grep("needle", { mode: "count", path: "a.txt" })).matches).toMatchObject([
      { path: "a.txt", text: "1" },
    ]);
  });

  test("context is shown around matches, never twice", async () => {
    const { environment } = await open({ "a.txt": "1\n2\nx\n4\nx\n6\n7\n8\nx\n" });
    expect(lines(await environment.grep("x", { contextLines: 1 }))).toEqual([
      "a.txt-2:2",
      "a.txt:3:x",
      "a.txt-4:4",
      "a.txt:5:x",
      "a.txt-6:6",
      "a.txt-8:8",
      "a.txt:9:x",
    ]);
    const cut = await environment.grep("x", { contextLines: 1, maxResults: 2 });
    expect(lines(cut)).toEqual(["a.txt-2:2", "a.txt:3:x", "a.txt-4:4", "a.txt:5:x", "a.txt-6:6"]);
    expect(cut.truncated).toBe(true);
  });

  test("at most 100 matches come back unless another number is asked for [loop-3.3-24]", async () => {
    const { environment } = await open({ "a.txt": "x\n".repeat(250) });
    const result = await environment.grep("x");
    expect([result.matches.length, result.truncated]).toEqual([100, true]);
    const all = await environment.grep("x", { maxResults: 250 });
    expect([all.matches.length, all.truncated]).toEqual([250, false]);
  });

  test.each(["need(", "[a", "(?=a)", "a\nb", "a\0b"])("the expression %j is refused [loop-3.3-25]", async (pattern) => {
    const { environment } = await open();
    await expect(environment.grep(pattern)).rejects.toMatchObject({ code: "environment.invalid_pattern" });
    await expect(environment.grep("x", { path: "missing" })).rejects.toMatchObject({
      code: "environment.file_not_found",
    });
    await expect(environment.grep("x", { glob: "[a" })).rejects.toMatchObject({ code: "environment.invalid_pattern" });
  });

  test.each(["--pre=./p.sh", "-f/etc/passwd", "--files", "--"])(
    "a pattern like %s is text and no option",
    async (pattern) => {
      const { environment, root } = await open({
        "a.txt": `before ${pattern} after\n`,
        "p.sh": "#!/bin/sh\ntouch ran\n",
      });
      chmodSync(join(root, "p.sh"), 0o755);
      expect(lines(await environment.grep(pattern, { path: "." }))).toContain(`a.txt:1:before ${pattern} after`);
      expect(lines(await environment.grep(pattern, { glob: "*.txt", path: "a.txt" }))).toHaveLength(1);
      expect(await environment.exists("ran")).toBe(false);
      await expect(environment.grep("x", { glob: "--pre=./p.sh" })).resolves.toMatchObject({ matches: [] });
      expect(await environment.exists("ran")).toBe(false);
    },
  );

  test("an expression that is slow elsewhere is answered at once", async () => {
    const { environment } = await open({ "a.txt": `${"a".repeat(5000)}b\n` });
    const started = performance.now();
    expect((await environment.grep("^(a+)+$")).matches).toEqual([]);
    expect((await environment.grep("^(a+)+b$")).matches).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test("a line of ten million characters is cut", async () => {
    const { environment } = await open({ "a.min.js": `needle${"x".repeat(10_000_000)}\nneedle 2\n` });
    const { matches } = await environment.grep("needle");
    expect(matches.map(({ line, text }) => [line, text.length])).toEqual([
      [1, 1001],
      [2, 8],
    ]);
  });

  test("a file that turns out to be binary is searched up to there and spoils no other result", async () => {
    const late = Buffer.concat([Buffer.from(`needle 1\n${"x\n".repeat(100_000)}`), Buffer.from("\0\nneedle 2\n")]);
    const { environment } = await open({ "a.txt": "needle\n", "b.dat": late, "c.dat": late, "d.txt": "needle\n" });
    const expected = ["a.txt:1:needle", "b.dat:1:needle 1", "c.dat:1:needle 1", "d.txt:1:needle"];
    expect(lines(await environment.grep("needle"))).toEqual(expected);
    expect(lines(await environment.grep("needle", { path: "b.dat" }))).toEqual(["b.dat:1:needle 1"]);
  });

  test("a byte order mark is not part of the first line", async () => {
    const { environment } = await open({ "a.txt": "\ufeffneedle\nneedle \ufeff\n" });
    const found = ["a.txt:1:needle", "a.txt:2:needle \ufeff"];
    expect(lines(await environment.grep("^needle"))).toEqual(found);
    expect(lines(await environment.grep("^needle", { path: "a.txt" }))).toEqual(found);
  });

  test("a carriage return at the end of a line is not part of it, with a line feed and without", async () => {
    const { environment } = await open({ "a.txt": "needle 1\r\nneedle 2\r" });
    const found = ["a.txt:1:needle 1", "a.txt:2:needle 2"];
    expect(lines(await environment.grep("needle"))).toEqual(found);
    expect(lines(await environment.grep("needle", { path: "a.txt" }))).toEqual(found);
  });

  test("an empty file filter excludes nothing", async () => {
    const { environment } = await open({ "a.txt": "needle\n", "src/b.ts": "needle\n" });
    expect(lines(await environment.grep("needle", { glob: "" }))).toEqual(["a.txt:1:needle", "src/b.ts:1:needle"]);
  });

  test("a signal ends the search", async () => {
    const { environment } = await open();
    await expect(environment.grep("x", { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  test.each(["*.none", "*.txt"])("a signal that aborts during a search of %s files ends it", async (glob) => {
    // Reading this many folders takes far more than one turn of the event loop.
    const { environment } = await open(
      Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${i}/f.txt`, "x\n"])),
    );
    const stop = new AbortController();
    const searching = environment.grep("needle", { glob, signal: stop.signal });
    setImmediate(() => stop.abort());
    await expect(searching).rejects.toMatchObject({ name: "AbortError" });
  });

  test("invalid UTF-8 and odd names come through", async () => {
    const { environment } = await open({
      "a b\n:1:c.txt": Buffer.concat([Buffer.from("needle "), Buffer.from([0xff]), Buffer.from("\n")]),
    });
    expect((await environment.grep("needle")).matches).toEqual([
      { path: "a b\n:1:c.txt", line: 1, text: "needle ÿ", isContext: false },
    ]);
  });
});

test("a configuration file of ripgrep that the host names is not read", async () => {
  const { root } = await openWorkspace({ "a.txt": "needle\n", rc: "--files-without-match\n" });
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root, env: { RIPGREP_CONFIG_PATH: join(root, "rc") } });
  expect(lines(await environment.grep("needle"))).toEqual(["a.txt:1:needle"]);
});

test("ripgrep's message about a pattern is reported without its advice about options", async () => {
  const { environment } = await openWorkspace();
  for (const pattern of ["a\\nb", "(?=a)b"]) {
    const error = await environment.grep(pattern).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "environment.invalid_pattern" });
    expect(String(error)).not.toMatch(/--multiline|--pcre2/);
  }
});

test("lines of large files are found at their position, with a byte order mark and without", async () => {
  const filler = "filler line of a large file\n".repeat(20_000);
  const { environment } = await openWorkspace({
    "marked.txt": `\ufeffneedle first\n${filler}needle marked\n`,
    "plain.txt": `${filler}needle plain\n`,
  });
  const { matches } = await environment.grep("^needle");
  expect(matches).toEqual([
    { path: "marked.txt", line: 1, text: "needle first", isContext: false },
    { path: "marked.txt", line: 20_002, text: "needle marked", isContext: false },
    { path: "plain.txt", line: 20_001, text: "needle plain", isContext: false },
  ]);
});

test("a name that ends in a dot fits the patterns that it should", async () => {
  const { environment } = await openWorkspace({ "a.": "needle\n", "...": "needle\n", "b.ts": "needle\n" });
  expect((await environment.glob("*")).sort()).toEqual(["...", "a.", "b.ts"]);
  for (const glob of ["*", "{a*,b.*,...}", "*[.s]"]) {
    const { matches } = await environment.grep("needle", { glob });
    expect(matches.map(({ path }) => path).sort()).toEqual(["...", "a.", "b.ts"]);
  }
});
