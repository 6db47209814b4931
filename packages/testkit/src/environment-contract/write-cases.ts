import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench, toBytes } from "./environment-bench.ts";

/** Conformance cases for writing whole files. */
export const writeCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/write-makes-folders",
    requirement: "loop-4.1-2",
    title: "Writes a file and creates the folders it needs",
    async check({ environment, needs }) {
      needs("writing");
      await environment.writeFile("a/b/c.txt", "hello\n");
      assert.equal(await environment.readFile("a/b/c.txt"), "hello\n");
      assert.equal((await environment.stat("a/b")).kind, "directory");
    },
  },
  {
    id: "environment/write-replaces",
    requirement: "loop-4.1-2",
    title: "Replaces the whole content, whether the new one is longer or shorter",
    async check({ environment, needs }) {
      needs("writing");
      for (const content of ["a long first content\n".repeat(100), "short", "", "x".repeat(200_000)]) {
        await environment.writeFile("a.txt", content);
        assert.equal(await environment.readFile("a.txt"), content);
        assert.equal((await environment.stat("a.txt")).size, content.length);
      }
    },
  },
  {
    id: "environment/write-takes-bytes",
    requirement: "loop-4.1-2",
    title: "Copies bytes that are written or read, so that the caller may reuse them",
    async check({ environment, needs }) {
      needs("writing");
      for (const size of [4, 300_000]) {
        const bytes = toBytes("x".repeat(size));
        await environment.writeFile("a.txt", bytes);
        bytes.fill(0x21);
        assert.equal(await environment.readFile("a.txt"), "x".repeat(size), "what was given was not taken");
        (await environment.readBytes("a.txt")).fill(0x21);
        assert.equal(await environment.readFile("a.txt"), "x".repeat(size), "what was handed out is not the caller's");
      }
    },
  },
  {
    id: "environment/write-leaves-nothing",
    requirement: "loop-4.1-2",
    title: "Leaves no other file behind after a write, also if it is rejected",
    async check({ environment, needs, writeFiles }) {
      needs("writing");
      await writeFiles({ "folder/a.txt": "old", "folder/inner/b.txt": "b" });
      await environment.writeFile("folder/a.txt", "new");
      await assertRefusedAs(() => environment.writeFile("folder/inner", "x"), "not_a_file", "writing onto a folder");
      const below = () => environment.writeFile("folder/a.txt/b", "x");
      await assertRefusedAs(below, "not_a_directory", "writing below a file");
      const names = (await environment.listDirectory("folder", 2)).map(({ name }) => name);
      assert.deepEqual(names, ["a.txt", "inner", "inner/b.txt"]);
      assert.equal(await environment.readFile("folder/a.txt"), "new");
    },
  },
  {
    id: "environment/write-whole",
    requirement: "loop-4.1-2",
    title: "Shows a concurrent reader the complete old or the complete new content during a write",
    async check({ environment, needs }) {
      needs("writing");
      const contents = ["a", "b"].map((letter) => letter.repeat(700_000));
      await environment.writeFile("a.txt", contents[0] ?? "");
      let writing = true;
      const write = async (): Promise<void> => {
        for (let round = 1; round <= 8; round += 1) await environment.writeFile("a.txt", contents[round % 2] ?? "");
        writing = false;
      };
      const read = async (): Promise<void> => {
        while (writing) {
          const found = await environment.readFile("a.txt");
          const isComplete = contents.includes(found);
          assert.ok(isComplete, `a reader saw ${found.length} characters, which is neither content`);
        }
      };
      await Promise.all([write(), read(), read()]);
    },
  },
  {
    id: "environment/write-at-once",
    requirement: "loop-4.1-2",
    title: "Leaves exactly one complete content after many concurrent writes to a file in new folders",
    async check({ environment, needs }) {
      needs("writing");
      const contents = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(2_000));
      for (const folder of ["new", "new/1/2", "3/4", "5"]) {
        await Promise.all(contents.map((content) => environment.writeFile(`${folder}/a.txt`, content)));
        assert.ok(contents.includes(await environment.readFile(`${folder}/a.txt`)), "the contents are mixed");
        const files = (await environment.listDirectory(folder)).filter(({ kind }) => kind === "file");
        assert.equal(files.length, 1);
      }
    },
  },
  {
    id: "environment/write-many",
    requirement: "loop-4.1-2",
    title: "Stores all of fifty files that are written concurrently",
    async check({ environment, needs }) {
      needs("writing");
      const names = Array.from({ length: 50 }, (_, index) => `deep/${index % 5}/${index}.txt`);
      await Promise.all(names.map((name) => environment.writeFile(name, name)));
      assert.deepEqual(await Promise.all(names.map((name) => environment.readFile(name))), names);
    },
  },
  {
    id: "environment/write-keeps-mode",
    requirement: "loop-4.1-2",
    title: "Preserves the mode of a file on write",
    async check({ environment, needs, writeFiles, script }) {
      needs("writing", "permissions");
      await writeFiles({ "run.sh": "#!/bin/sh\necho old\n" });
      await script("chmod 751 run.sh");
      await environment.writeFile("run.sh", "#!/bin/sh\necho new\n");
      assert.match(await script("ls -l run.sh"), /^-rwxr-x--x/);
      assert.equal(await script("./run.sh"), "new\n");
    },
  },
  {
    id: "environment/write-forbidden",
    requirement: "loop-4.1-2",
    title: "Rejects a write without permission with environment.permission_denied, and leaves the file unchanged",
    async check({ environment, needs, writeFiles, script }) {
      needs("writing", "unprivileged", "permissions");
      await writeFiles({ "a.txt": "old", "folder/b.txt": "old" });
      await script("chmod 400 a.txt; chmod 500 folder");
      try {
        await assertRefusedAs(() => environment.writeFile("a.txt", "new"), "permission_denied", "a read-only file");
        await assertRefusedAs(
          () => environment.writeFile("folder/c.txt", "new"),
          "permission_denied",
          "a locked folder",
        );
        await assertRefusedAs(() => environment.remove("folder/b.txt"), "permission_denied", "removing from it");
        assert.equal(await environment.readFile("a.txt"), "old");
      } finally {
        await script("chmod 700 a.txt folder");
      }
    },
  },
];
