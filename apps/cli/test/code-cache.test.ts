import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyardProcess } from "./start-switchyard.ts";

/** Runs a command that loads part of the program, and checks its output. */
async function listRuns(env: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode, stdout, stderr } = await switchyardProcess(["runs", "list", "--json"], { env });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "[]", stderr: "" });
}

test("code compiled by one command is in the cache folder for the next command", async () => {
  const cache = await makeFolder();
  await listRuns({ XDG_CACHE_HOME: cache });
  const folder = join(cache, "switchyard/code");
  const [name = "", ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(name).toContain(process.version);
  const { ino } = await stat(join(folder, name));
  await listRuns({ XDG_CACHE_HOME: cache });
  // Replacing the cache file would change its inode.
  expect((await stat(join(folder, name))).ino).toBe(ino);
  // Another command adds the code that only it has loaded.
  const before = await readFile(join(folder, name));
  expect((await switchyardProcess(["config", "--json"], { env: { XDG_CACHE_HOME: cache } })).exitCode).toBe(0);
  expect((await readFile(join(folder, name))).length).toBeGreaterThan(before.length);
});

test("a damaged file and a folder that cannot be written to have no effect", async () => {
  const cache = await makeFolder();
  await listRuns({ XDG_CACHE_HOME: cache });
  const folder = join(cache, "switchyard/code");
  const [name = ""] = await readdir(folder);
  const whole = await readFile(join(folder, name));
  await writeFile(join(folder, name), whole.subarray(0, whole.length / 2));
  await listRuns({ XDG_CACHE_HOME: cache });
  // The cache file was created again and is valid.
  const { ino, size } = await stat(join(folder, name));
  expect(size).toBeGreaterThan(whole.length / 2);
  await listRuns({ XDG_CACHE_HOME: cache });
  expect((await stat(join(folder, name))).ino).toBe(ino);
  await listRuns({ XDG_CACHE_HOME: "/dev/null" });
});

test("NODE_DISABLE_COMPILE_CACHE disables the cache, and words that need no program do not use it", async () => {
  const cache = await makeFolder();
  await listRuns({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: "1" });
  for (const word of ["--version", "--help"])
    expect((await switchyardProcess([word], { env: { XDG_CACHE_HOME: cache } })).exitCode).toBe(0);
  expect(await readdir(cache)).toEqual([]);
});
