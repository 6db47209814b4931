import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench } from "./environment-bench.ts";

const HUGE = Number.MAX_SAFE_INTEGER;

/** Conformance cases for reading files as text, whole or in ranges of lines. */
export const readCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/read-as-written",
    requirement: "loop-4.1-2",
    title: "Preserves line endings, a byte order mark, unusual characters and a missing final line ending",
    async check({ environment, writeFiles }) {
      const texts = [
        "\uFEFFün\r\n\r\n😀 without an end",
        "a\rb\u2028c\u0085d\n\n",
        "\n",
        "e\u0301 é\t\u001b[0m\n",
        "x",
      ];
      for (const [index, text] of texts.entries()) {
        await writeFiles({ [`${index}.txt`]: text });
        assert.equal(await environment.readFile(`${index}.txt`), text);
      }
    },
  },
  {
    id: "environment/read-empty",
    requirement: "loop-4.1-2",
    title: "Returns an empty text for an empty file, whatever the range",
    async check({ environment, writeFiles }) {
      await writeFiles({ "empty.txt": "" });
      assert.equal(await environment.readFile("empty.txt"), "");
      assert.equal(await environment.readFile("empty.txt", { offset: 1, limit: 10 }), "");
      assert.equal(await environment.readFile("empty.txt", { offset: 7 }), "");
    },
  },
  {
    id: "environment/read-window",
    requirement: "loop-4.1-2",
    title: "Returns the requested range of lines with their line endings",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "one\ntwo\r\n\nfour" });
      const windows = [
        [{ offset: 2, limit: 2 }, "two\r\n\n"],
        [{ offset: 1, limit: 1 }, "one\n"],
        [{ limit: 2 }, "one\ntwo\r\n"],
        [{ offset: 4 }, "four"],
        [{ offset: 3, limit: 99 }, "\nfour"],
      ] as const;
      for (const [window, text] of windows) assert.equal(await environment.readFile("a.txt", window), text);
    },
  },
  {
    id: "environment/read-window-line-ends",
    requirement: "loop-4.1-2",
    title: "Ends a line only at a line feed",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "one\rstill one\u2028and still\u0085\v\f\ntwo\r\n" });
      assert.equal(
        await environment.readFile("a.txt", { offset: 1, limit: 1 }),
        "one\rstill one\u2028and still\u0085\v\f\n",
      );
      assert.equal(await environment.readFile("a.txt", { offset: 2 }), "two\r\n");
    },
  },
  {
    id: "environment/read-window-odd",
    requirement: "loop-4.1-2",
    title: "Clamps a range that begins before the first line, and returns an empty text after the last line",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.txt": "one\ntwo\n" });
      for (const offset of [0, -3, 1]) {
        assert.equal(await environment.readFile("a.txt", { offset, limit: 1 }), "one\n", `offset ${offset}`);
      }
      for (const offset of [3, 4, 1_000_000, HUGE]) {
        assert.equal(await environment.readFile("a.txt", { offset }), "", `offset ${offset}`);
      }
      assert.equal(await environment.readFile("a.txt", { limit: 0 }), "");
      assert.equal(await environment.readFile("a.txt", { offset: 2, limit: HUGE }), "two\n");
    },
  },
  {
    id: "environment/read-windows-join",
    requirement: "loop-4.1-2",
    title: "Returns the whole file when consecutive ranges are joined",
    async check({ environment, writeFiles }) {
      const text = ["", "é😀", "\r", "\uFEFF", "x".repeat(5_000), "", "last without an end"].join("\n");
      await writeFiles({ "a.txt": text });
      for (const limit of [1, 3]) {
        let joined = "";
        for (let offset = 1; offset <= 9; offset += limit) {
          joined += await environment.readFile("a.txt", { offset, limit });
        }
        assert.equal(joined, text);
      }
    },
  },
  {
    id: "environment/read-window-far",
    requirement: "loop-4.1-2",
    title: "Returns a range far into a large file correctly, also after the file has changed",
    async check({ environment, writeFiles }) {
      const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1} of many`);
      await writeFiles({ "a.txt": lines.join("\n") });
      for (const offset of [59_999, 30_000, 1, 59_999]) {
        assert.equal(await environment.readFile("a.txt", { offset, limit: 1 }), `line ${offset} of many\n`);
      }
      assert.equal(await environment.readFile("a.txt", { offset: 60_000 }), "line 60000 of many");
      await writeFiles({ "a.txt": `first\n${lines.join("\n")}` });
      assert.equal(await environment.readFile("a.txt", { offset: 59_999, limit: 1 }), "line 59998 of many\n");
    },
  },
  {
    id: "environment/read-invalid-utf8",
    requirement: "loop-4.1-2",
    title: "Replaces bytes that are not valid UTF-8 with U+FFFD in text, and preserves them in the file",
    async check({ environment, writeFiles }) {
      const bytes = Uint8Array.of(0x63, 0xe9, 0x0a, 0xc3, 0xff, 0x78, 0xf0, 0x9f);
      await writeFiles({ "latin.txt": bytes });
      assert.equal(await environment.readFile("latin.txt"), "c\uFFFD\n\uFFFD\uFFFDx\uFFFD");
      assert.equal(await environment.readFile("latin.txt", { offset: 2 }), "\uFFFD\uFFFDx\uFFFD");
      assert.deepEqual([...(await environment.readBytes("latin.txt"))], [...bytes]);
    },
  },
  {
    id: "environment/read-binary",
    requirement: "loop-4.1-2",
    title: "Rejects a file with NUL bytes as text with environment.binary_file",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a.png": Uint8Array.of(0x89, 0x50, 0, 1), "nul.txt": "text\0text" });
      for (const path of ["a.png", "nul.txt"]) {
        const error = await assertRefusedAs(() => environment.readFile(path), "binary_file", `reading ${path} as text`);
        assert.equal(error.details["path"], path);
        await assertRefusedAs(() => environment.readFile(path, { limit: 1 }), "binary_file", `a window of ${path}`);
      }
    },
  },
  {
    id: "environment/read-missing",
    requirement: "loop-4.1-2",
    title: "Rejects every operation on a missing path with environment.file_not_found and the path",
    async check({ environment, writeFiles }) {
      await writeFiles({ "folder/a.txt": "x" });
      const questions = {
        readFile: () => environment.readFile("folder/no.txt"),
        readBytes: () => environment.readBytes("folder/no.txt"),
        stat: () => environment.stat("folder/no.txt"),
        listDirectory: () => environment.listDirectory("folder/no.txt"),
        grep: () => environment.grep("x", { path: "folder/no.txt" }),
      };
      for (const [name, question] of Object.entries(questions)) {
        const error = await assertRefusedAs(question, "file_not_found", name);
        assert.equal(error.details["path"], "folder/no.txt", `${name} names another path`);
      }
      await assertRefusedAs(() => environment.readFile("no/such/folder/a.txt"), "file_not_found", "a missing folder");
    },
  },
  {
    id: "environment/read-folder",
    requirement: "loop-4.1-2",
    title: "Rejects a folder where a file is expected, and a file where a folder is expected",
    async check({ environment, writeFiles }) {
      await writeFiles({ "folder/a.txt": "x" });
      await assertRefusedAs(() => environment.readFile("folder"), "not_a_file", "reading a folder");
      await assertRefusedAs(() => environment.readBytes("."), "not_a_file", "reading the workspace");
      const inFile = () => environment.readFile("folder/a.txt/b");
      await assertRefusedAs(inFile, "not_a_directory", "reading below a file");
      await assertRefusedAs(() => environment.listDirectory("folder/a.txt"), "not_a_directory", "listing a file");
    },
  },
  {
    id: "environment/read-forbidden",
    requirement: "loop-4.1-2",
    title: "Rejects a file or folder that the user may not read with environment.permission_denied",
    async check({ environment, writeFiles, needs, script }) {
      needs("unprivileged", "permissions");
      await writeFiles({ "a.txt": "x", "folder/b.txt": "x", "c.txt": "needle" });
      await script("chmod 0 a.txt folder");
      try {
        const error = await assertRefusedAs(() => environment.readFile("a.txt"), "permission_denied", "a locked file");
        assert.equal(error.details["path"], "a.txt");
        await assertRefusedAs(() => environment.readBytes("folder/b.txt"), "permission_denied", "a locked folder");
        await assertRefusedAs(() => environment.listDirectory("folder"), "permission_denied", "listing it");
        assert.deepEqual(
          (await environment.grep("needle")).matches.map(({ path }) => path),
          ["c.txt"],
        );
      } finally {
        await script("chmod 700 a.txt folder");
      }
    },
  },
];
