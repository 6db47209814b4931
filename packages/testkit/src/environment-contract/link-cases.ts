import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench, quoteArgument } from "./environment-bench.ts";
import { changesAt, commandsIn, questionsAt } from "./operations.ts";

const OUTSIDE = "path_outside_workspace";
/**
 * Accepted error codes for a path below a symbolic link that points out of the workspace. An environment may report
 * that a parent is not a folder before it checks the link's location.
 */
const OUTSIDE_FILE = [OUTSIDE, "not_a_directory"];

function linesOf(bench: EnvironmentBench): string {
  const outside = bench.outside();
  return `
    ln -s ${quoteArgument(outside)} out
    ln -s ${quoteArgument(`${outside}/secret.txt`)} out.txt
    ln -s ${quoteArgument(`${outside}/new.txt`)} out-new.txt
  `;
}

/** Conformance cases for symbolic links. */
export const linkCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/links-inside",
    requirement: "loop-4.1-2",
    title: "Follows a symbolic link that stays in the workspace, for reading and writing",
    async check({ environment, writeFiles, needs, script }) {
      needs("links", "writing");
      await writeFiles({ "real/a.txt": "inside\n" });
      await script("ln -s real in; ln -s real/a.txt in.txt; ln -s real/new.txt in-new.txt");
      assert.deepEqual(
        [await environment.readFile("in/a.txt"), await environment.readFile("in.txt")],
        ["inside\n", "inside\n"],
      );
      assert.equal((await environment.stat("in.txt")).kind, "file");
      assert.equal((await environment.stat("in")).kind, "directory");
      await environment.writeFile("in.txt", "through the link\n");
      await environment.writeFile("in-new.txt", "new\n");
      await environment.writeFile("in/b.txt", "b\n");
      assert.equal(await script("cat real/a.txt real/new.txt real/b.txt"), "through the link\nnew\nb\n");
      assert.equal(await script("test -L in.txt && test -L in-new.txt && echo links"), "links\n");
    },
  },
  {
    id: "environment/links-listed",
    requirement: "loop-4.1-5",
    title: "Lists a symbolic link as a link, without its target",
    async check({ environment, writeFiles, needs, script }) {
      needs("links");
      await writeFiles({ "real/a.txt": "x" });
      await script("ln -s real in; ln -s . loop; ln -s nothing dangling; ln -s real/a.txt z.txt");
      assert.deepEqual(await environment.listDirectory(".", 5), [
        { name: "dangling", kind: "symlink" },
        { name: "in", kind: "symlink" },
        { name: "loop", kind: "symlink" },
        { name: "real", kind: "directory" },
        { name: "real/a.txt", kind: "file", size: 1 },
        { name: "z.txt", kind: "symlink" },
      ]);
    },
  },
  {
    id: "environment/links-out-read",
    requirement: "loop-4.1-2",
    title: "Does not access the target of a symbolic link outside the workspace with any operation",
    async check(bench) {
      const { environment, needs, script } = bench;
      needs("links");
      await script(linesOf(bench));
      const reading = questionsAt(environment, "out.txt").filter(([name]) => !["listDirectory", "glob"].includes(name));
      for (const [name, operation] of [...reading, ...questionsAt(environment, "out/secret.txt")]) {
        const error = await assertRefusedAs(operation, OUTSIDE_FILE, `${name} through a link`);
        assert.doesNotMatch(`${error.message} ${JSON.stringify(error.details)}`, /SECRET/);
      }
      await assertRefusedAs(() => environment.listDirectory("out"), OUTSIDE, "listing a folder outside");
      await assertRefusedAs(() => environment.glob("*", { path: "out" }), OUTSIDE, "a glob in a folder outside");
      await assertRefusedAs(() => environment.glob("out/*"), OUTSIDE, "a glob through a link");
      await assertRefusedAs(() => environment.grep("SECRET", { path: "out" }), OUTSIDE, "a search outside");
    },
  },
  {
    id: "environment/links-out-written",
    requirement: "loop-4.1-2",
    title: "Does not write, create, move or remove through a symbolic link that points outside",
    async check(bench) {
      const { environment, writeFiles, needs, script, assertOutsideUntouched } = bench;
      needs("links", "writing");
      await writeFiles({ "a.txt": "a" });
      await script(linesOf(bench));
      for (const path of ["out.txt", "out-new.txt", "out/new.txt", "out/deep/new.txt"]) {
        await assertRefusedAs(() => environment.writeFile(path, "x"), OUTSIDE, `writing ${path}`);
      }
      for (const path of ["out/made", "out/secret.txt"]) {
        for (const [name, operation] of changesAt(environment, path)) {
          await assertRefusedAs(operation, OUTSIDE_FILE, `${name} at ${path}`);
        }
        await assertRefusedAs(() => environment.rename("a.txt", path), OUTSIDE, `moving to ${path}`);
      }
      await assertOutsideUntouched();
    },
  },
  {
    id: "environment/links-out-search",
    requirement: ["loop-4.2-11", "loop-4.2-12"],
    title: "Follows no symbolic link below the searched folder, nor one out of the workspace, in grep and glob",
    async check(bench) {
      const { environment, writeFiles, needs, script } = bench;
      needs("links");
      await writeFiles({ "sub/a.txt": "needle\n" });
      await script(`${linesOf(bench)} ln -s .. sub/up; ln -s . loop; ln -s sub link; ln -s sub/a.txt file`);
      assert.deepEqual(await environment.grep("SECRET"), { matches: [], truncated: false });
      assert.deepEqual(
        (await environment.grep("needle")).matches.map(({ path }) => path),
        ["sub/a.txt"],
      );
      assert.deepEqual(await environment.glob("**/*"), ["sub/a.txt"]);
      assert.deepEqual(await environment.glob("**/secret.txt"), []);
      assert.deepEqual(await environment.glob("link/*.txt"), ["link/a.txt"]);
    },
  },
  {
    id: "environment/links-out-cwd",
    requirement: "loop-4.1-4",
    title: "Runs no command in a folder behind a symbolic link that points outside, but follows one that stays inside",
    async check(bench) {
      const { environment, writeFiles, needs, script } = bench;
      needs("links", "shell");
      await writeFiles({ "real/a.txt": "x" });
      await script(`${linesOf(bench)} ln -s real in`);
      for (const [name, operation] of commandsIn(environment, "out")) {
        await assertRefusedAs(operation, OUTSIDE, `${name} through a link`);
      }
      assert.equal((await environment.exec(["ls"], { cwd: "in" })).stdout, "a.txt\n");
    },
  },
  {
    id: "environment/links-circle",
    requirement: "loop-4.1-2",
    title: "Rejects circular symbolic links with environment.invalid_path, and treats a dangling link as missing",
    async check({ environment, needs, script }) {
      needs("links");
      await script("ln -s b a; ln -s a b; ln -s self self; ln -s nothing dangling");
      for (const path of ["a", "self", "a/x.txt"]) {
        await assertRefusedAs(() => environment.readFile(path), "invalid_path", `reading ${path}`);
        await assertRefusedAs(() => environment.stat(path), "invalid_path", `asking about ${path}`);
      }
      assert.equal(await environment.exists("dangling"), false);
      await assertRefusedAs(() => environment.readFile("dangling"), "file_not_found", "reading through it");
      assert.deepEqual(await environment.glob("**/*"), []);
    },
  },
  {
    id: "environment/links-removed",
    requirement: "loop-4.1-2",
    title: "Removes or moves a symbolic link itself, never its target",
    async check(bench) {
      const { environment, writeFiles, needs, script, assertOutsideUntouched } = bench;
      needs("links", "writing");
      await writeFiles({ "real/a.txt": "a", "b.txt": "b" });
      await script(`${linesOf(bench)} ln -s real in; ln -s real/a.txt in.txt; mkdir d; ln -s "$PWD/real" d/in`);
      await script(`ln -s ${quoteArgument(bench.outside())} d/out`);
      await environment.rename("in", "moved");
      await environment.rename("out", "moved-out");
      for (const path of ["in.txt", "moved", "moved-out", "d"]) await environment.remove(path);
      // A rename over a link replaces the link itself, not the link's target.
      await environment.rename("b.txt", "out.txt");
      assert.equal(await environment.readFile("out.txt"), "b");
      assert.equal(await environment.readFile("real/a.txt"), "a");
      await assertOutsideUntouched();
    },
  },
];
