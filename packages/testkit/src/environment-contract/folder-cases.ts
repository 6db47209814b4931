import assert from "node:assert/strict";
import type { DirectoryEntry } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench } from "./environment-bench.ts";

function show(entries: readonly DirectoryEntry[]): string[] {
  return entries.map(({ name, kind, size }) => (size === undefined ? `${kind} ${name}` : `${kind} ${name} ${size}`));
}

const TREE = { "d/b.txt": "12", "d/a/x.txt": "1", "d/a/deep/y.txt": "", "d/Z.txt": "123", "d/a.txt": "1234" };

/** Conformance cases for creating and listing folders. */
export const folderCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/exists",
    requirement: "loop-4.1-2",
    title: "Reports that a file and a folder exist, and that a missing path, also below a file, does not",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a/b.txt": "x" });
      const found = ["a", "a/b.txt", ".", "./a/../a/b.txt", "a/c", "c/d", "a/b.txt/c"].map((path) =>
        environment.exists(path),
      );
      assert.deepEqual(await Promise.all(found), [true, true, true, true, false, false, false]);
    },
  },
  {
    id: "environment/stat",
    requirement: "loop-4.1-2",
    title: "Returns the kind of a path and its size in bytes",
    async check({ environment, writeFiles }) {
      await writeFiles({ "a/b.txt": "é😀" });
      const { kind, size } = await environment.stat("a/b.txt");
      assert.deepEqual({ kind, size }, { kind: "file", size: 6 });
      assert.equal((await environment.stat("a")).kind, "directory");
      assert.equal((await environment.stat(".")).kind, "directory");
    },
  },
  {
    id: "environment/stat-times",
    requirement: "loop-4.1-2",
    title: "Returns the modification time of a file in milliseconds since 1970",
    async check({ environment, writeFiles, needs, script }) {
      needs("times");
      await writeFiles({ "a.txt": "x" });
      await script("TZ=UTC touch -t 200102030405.06 a.txt");
      assert.equal((await environment.stat("a.txt")).modifiedMs, Date.UTC(2001, 1, 3, 4, 5, 6));
      await writeFiles({ "a.txt": "y" });
      assert.ok((await environment.stat("a.txt")).modifiedMs > Date.UTC(2020), "a write does not count as a change");
    },
  },
  {
    id: "environment/list",
    requirement: ["loop-4.1-2", "loop-4.1-5"],
    title: "Lists a folder sorted by name, with kinds, and with sizes of files",
    async check({ environment, writeFiles }) {
      await writeFiles(TREE);
      assert.deepEqual(show(await environment.listDirectory("d")), [
        "file Z.txt 3",
        "directory a",
        "file a.txt 4",
        "file b.txt 2",
      ]);
      assert.deepEqual(await environment.listDirectory("d/a/deep"), [{ name: "y.txt", kind: "file", size: 0 }]);
    },
  },
  {
    id: "environment/list-depth",
    requirement: "loop-4.1-2",
    title: "Lists a folder to the requested depth, each folder followed by its content",
    async check({ environment, writeFiles }) {
      await writeFiles(TREE);
      const names = async (depth: number) => (await environment.listDirectory("d", depth)).map(({ name }) => name);
      assert.deepEqual(await names(1), ["Z.txt", "a", "a.txt", "b.txt"]);
      assert.deepEqual(await names(2), ["Z.txt", "a", "a/deep", "a/x.txt", "a.txt", "b.txt"]);
      const all = ["Z.txt", "a", "a/deep", "a/deep/y.txt", "a/x.txt", "a.txt", "b.txt"];
      assert.deepEqual([await names(3), await names(99)], [all, all]);
    },
  },
  {
    id: "environment/list-hidden",
    requirement: "loop-4.1-2",
    title: "Lists hidden and ignored entries like others, and an empty folder as empty",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ ".gitignore": "*\n", ".hidden/a.txt": "", "node_modules/m.js": "" });
      await environment.makeDirectory("empty");
      const names = (await environment.listDirectory(".", 2)).map(({ name }) => name);
      assert.deepEqual(names, [".gitignore", ".hidden", ".hidden/a.txt", "empty", "node_modules", "node_modules/m.js"]);
      assert.deepEqual(await environment.listDirectory("empty"), []);
    },
  },
  {
    id: "environment/make-folder",
    requirement: "loop-4.1-2",
    title: "Creates a folder and its parents, changes nothing if it exists, and rejects if a file is in its place",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await environment.makeDirectory("m/n/o");
      await environment.writeFile("m/n/o/a.txt", "x");
      await environment.makeDirectory("m/n/o");
      assert.equal(await environment.readFile("m/n/o/a.txt"), "x");
      await writeFiles({ file: "x" });
      const codes = ["not_a_directory", "already_exists"];
      await assertRefusedAs(() => environment.makeDirectory("file"), codes, "a folder in place of a file");
      await assertRefusedAs(() => environment.makeDirectory("file/in"), codes, "a folder in a file");
      assert.equal(await environment.readFile("file"), "x");
    },
  },
  {
    id: "environment/rename-file",
    requirement: "loop-4.1-2",
    title: "Moves a file, creates the folders it needs, and replaces another file",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ "a.txt": "a", "b.txt": "b" });
      await environment.rename("a.txt", "x/y/a.txt");
      await environment.rename("b.txt", "x/y/a.txt");
      assert.equal(await environment.readFile("x/y/a.txt"), "b");
      const names = (await environment.listDirectory(".", 9)).map(({ name }) => name);
      assert.deepEqual(names, ["x", "x/y", "x/y/a.txt"]);
    },
  },
  {
    id: "environment/rename-folder",
    requirement: "loop-4.1-2",
    title: "Moves a folder to the new name, not into an existing folder",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ "from/a.txt": "a", "from/in/b.txt": "b", "full/c.txt": "c" });
      await environment.rename("from", "to/here");
      assert.equal(await environment.readFile("to/here/in/b.txt"), "b");
      const codes = ["already_exists", "not_a_directory"];
      await assertRefusedAs(() => environment.rename("to/here", "full"), codes, "moving over a folder with files");
      await environment.makeDirectory("empty");
      await environment.rename("to/here", "empty");
      const names = (await environment.listDirectory(".", 9)).map(({ name }) => name);
      assert.deepEqual(names, ["empty", "empty/a.txt", "empty/in", "empty/in/b.txt", "full", "full/c.txt", "to"]);
    },
  },
  {
    id: "environment/rename-refused",
    requirement: "loop-4.1-2",
    title: "Rejects moving a file onto a folder, or a folder onto a file or into itself",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ "d/a.txt": "a", "f.txt": "f" });
      const ontoFolder = () => environment.rename("f.txt", "d");
      await assertRefusedAs(ontoFolder, ["not_a_file", "already_exists"], "a file onto a folder");
      const ontoFile = () => environment.rename("d", "f.txt");
      await assertRefusedAs(ontoFile, ["not_a_directory", "already_exists"], "a folder onto a file");
      await assertRefusedAs(() => environment.rename("d", "d/in"), "invalid_path", "a folder into itself");
      const names = (await environment.listDirectory(".", 9)).map(({ name }) => name);
      assert.deepEqual(names, ["d", "d/a.txt", "f.txt"]);
    },
  },
  {
    id: "environment/rename-missing",
    requirement: "loop-4.1-2",
    title: "Rejects moving a missing path, and creates no folder for it",
    async check({ environment, needs }) {
      needs("writing");
      const error = await assertRefusedAs(
        () => environment.rename("no.txt", "new/a.txt"),
        "file_not_found",
        "moving a missing path",
      );
      assert.equal(error.details["path"], "no.txt");
      assert.deepEqual(await environment.listDirectory("."), []);
    },
  },
  {
    id: "environment/remove",
    requirement: "loop-4.1-2",
    title: "Removes only the given file, or a folder with its whole content",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ ...TREE, "e.txt": "e", "d/.hidden/h.txt": "h" });
      await environment.remove("d/a.txt");
      assert.deepEqual([await environment.exists("d/a.txt"), await environment.exists("d/a")], [false, true]);
      await environment.remove("d");
      assert.deepEqual(
        (await environment.listDirectory(".")).map(({ name }) => name),
        ["e.txt"],
      );
    },
  },
  {
    id: "environment/remove-refused",
    requirement: "loop-4.1-2",
    title: "Rejects removing a missing path or the workspace itself",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ "a.txt": "a" });
      const error = await assertRefusedAs(
        () => environment.remove("no.txt"),
        "file_not_found",
        "removing a missing path",
      );
      assert.equal(error.details["path"], "no.txt");
      for (const path of [".", "./x/..", environment.workingDirectory]) {
        await assertRefusedAs(() => environment.remove(path), "invalid_path", `removing ${path}`);
        await assertRefusedAs(() => environment.rename(path, "x"), "invalid_path", `moving ${path}`);
      }
      assert.equal(await environment.readFile("a.txt"), "a");
    },
  },
];
