import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench } from "./environment-bench.ts";
import { changesAt, commandsIn, questionsAt } from "./operations.ts";

const OUTSIDE = "path_outside_workspace";

function pathsOutside(workspace: string): readonly string[] {
  return ["..", "../x.txt", "a/../../x.txt", "/", "/etc/passwd", `${workspace}/../x.txt`, `${workspace}-more/x.txt`];
}

/**
 * Returns paths outside the workspace that do not exist. An environment that fails the conformance case then changes no
 * existing files.
 */
function freePathsOutside(workspace: string): readonly string[] {
  const name = "contract-outside";
  return [`../${name}`, `a/../../${name}`, `/${name}/x.txt`, `${workspace}/../${name}`, `${workspace}-${name}/x.txt`];
}

/** Conformance cases for paths and their confinement to the workspace. */
export const pathCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/paths-relative",
    requirement: "loop-4.2-1",
    title: "Treats a relative path and its absolute form as the same file",
    async check({ environment, writeFiles }) {
      await writeFiles({ "here/a.txt": "here", [`${environment.workingDirectory}/b.txt`]: "there" });
      const { workingDirectory } = environment;
      for (const path of [
        "here/a.txt",
        "./here//a.txt",
        "here/../here/./a.txt",
        "missing/../here/a.txt",
        `${workingDirectory}/here/a.txt`,
        `${workingDirectory}/x/../here/a.txt`,
      ]) {
        assert.equal(await environment.readFile(path), "here", path);
      }
      assert.equal(await environment.readFile("b.txt"), "there");
      assert.equal((await environment.listDirectory(workingDirectory)).length, 2);
      assert.deepEqual(await environment.glob(`${workingDirectory}/here/*`), ["here/a.txt"]);
      const { matches } = await environment.grep("here", { path: `${workingDirectory}/here` });
      assert.deepEqual(
        matches.map(({ path }) => path),
        ["here/a.txt"],
      );
    },
  },
  {
    id: "environment/paths-outside-read",
    requirement: "loop-4.1-2",
    title: "Rejects a path outside the workspace in every read operation with environment.path_outside_workspace",
    async check({ environment }) {
      for (const path of pathsOutside(environment.workingDirectory)) {
        for (const [name, operation] of questionsAt(environment, path)) {
          const error = await assertRefusedAs(operation, OUTSIDE, `${name} at ${path}`);
          assert.equal(error.details["path"], path, `the error of ${name} names another path`);
        }
      }
    },
  },
  {
    id: "environment/paths-outside-changed",
    requirement: "loop-4.1-2",
    title: "Rejects a path outside the workspace in every operation that changes something",
    async check({ environment, writeFiles, needs }) {
      needs("writing");
      await writeFiles({ "a.txt": "kept" });
      for (const path of freePathsOutside(environment.workingDirectory)) {
        for (const [name, operation] of changesAt(environment, path)) {
          await assertRefusedAs(operation, OUTSIDE, `${name} at ${path}`);
        }
        await assertRefusedAs(() => environment.rename("a.txt", path), OUTSIDE, `moving to ${path}`);
      }
      assert.equal(await environment.readFile("a.txt"), "kept");
    },
  },
  {
    id: "environment/paths-outside-secret",
    requirement: "loop-4.1-2",
    title: "Neither reads nor changes a file next to the workspace by its path",
    async check({ environment, needs, outside, assertOutsideUntouched }) {
      needs("writing");
      for (const [name, operation] of [
        ...questionsAt(environment, `${outside()}/secret.txt`),
        ...changesAt(environment, `${outside()}/secret.txt`),
        ...changesAt(environment, `${outside()}/new.txt`),
      ]) {
        await assertRefusedAs(operation, OUTSIDE, name);
      }
      await assertOutsideUntouched();
    },
  },
  {
    id: "environment/paths-outside-glob",
    requirement: "loop-4.2-12",
    title: "Rejects a glob pattern that leads outside, and finds nothing outside with one that might",
    async check({ environment, writeFiles, outside }) {
      await writeFiles({ "outside/a.txt": "x", "sub/b.txt": "x" });
      for (const pattern of ["../outside/*", "../**", "/etc/*", "a/../../outside/*", `${outside()}/*`]) {
        await assertRefusedAs(() => environment.glob(pattern), OUTSIDE, `the pattern ${pattern}`);
      }
      for (const pattern of [
        "{.,..}/outside/*",
        "[.][.]/outside/*",
        "??/outside/*",
        "**/../outside/*",
        "**/secret.txt",
      ]) {
        const found = await environment.glob(pattern);
        const stray = found.filter((path) => path.includes("secret") || path.startsWith(".."));
        assert.deepEqual(stray, [], `${pattern} found files outside the workspace`);
      }
    },
  },
  {
    id: "environment/paths-outside-cwd",
    requirement: "loop-4.1-4",
    title: "Runs no command in a folder outside the workspace",
    async check({ environment, needs }) {
      needs("shell");
      for (const cwd of ["..", "/", "/etc", "a/../..", `${environment.workingDirectory}/..`]) {
        for (const [name, operation] of commandsIn(environment, cwd)) {
          await assertRefusedAs(operation, OUTSIDE, `${name} in ${cwd}`);
        }
      }
    },
  },
];
