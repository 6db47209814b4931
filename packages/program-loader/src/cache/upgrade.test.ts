import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeCachePath, loadProgram, openCodeCache } from "../index.ts";

function makeInstallation(): { readonly program: string; readonly caches: string } {
  const root = mkdtempSync(join(tmpdir(), "code-upgrade-"));
  onTestFinished(() => {
    chmodSync(join(root, "program"), 0o700);
    rmSync(root, { recursive: true });
  });
  mkdirSync(join(root, "program"));
  return { program: join(root, "program"), caches: join(root, "caches") };
}

/** Installs a version. The files of all versions have the same sizes, which is all that V8 compares. */
function install(program: string, version: number): void {
  writeFileSync(join(program, "main.cjs"), `module.exports = require("./part-${version}.cjs");`);
  writeFileSync(join(program, `part-${version}.cjs`), `exports.version = () => ${version};`);
}

function start({ program, caches }: { program: string; caches: string }): unknown {
  const file = join(program, "main.cjs");
  const cache = openCodeCache(codeCachePath(caches, file));
  const loaded: unknown = loadProgram(file, cache);
  cache.save();
  const version: unknown = Object(loaded).version();
  return version;
}

test("after an upgrade or a downgrade in the same folder, the program runs the installed code", () => {
  const installation = makeInstallation();
  const versions = [1, 2, 1, 3].map((version) => {
    install(installation.program, version);
    return [start(installation), start(installation)];
  });
  expect(versions).toEqual([
    [1, 1],
    [2, 2],
    [1, 1],
    [3, 3],
  ]);
  // A file is named after the build and the flags of V8, which loading a program may change.
  const builds = new Set(readdirSync(installation.caches).map((name) => name.split("-")[0]));
  expect(builds.size).toBe(3);
});

test("a read-only installation starts, and nothing is written into it", () => {
  const installation = makeInstallation();
  install(installation.program, 1);
  chmodSync(installation.program, 0o500);
  expect([start(installation), start(installation)]).toEqual([1, 1]);
  expect(readdirSync(installation.program)).toEqual(["main.cjs", "part-1.cjs"]);
  expect(readdirSync(installation.caches).length).toBeGreaterThan(0);
});
