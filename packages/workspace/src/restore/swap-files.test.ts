import { statSync, watch } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type FileSwap, finishSwap, swapFiles } from "./swap-files.ts";

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const BEFORE = { "a.txt": "a", "sub/b.txt": "b" };
const AFTER = { "a.txt": "A", "c/d.txt": "D" };
const PATHS = ["a.txt", "sub/b.txt", "c/d.txt"];

async function makeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function filesOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = await Promise.all(
    paths.map(async (path) => [path.slice(root.length + 1), await readFile(path, "utf8")]),
  );
  return Object.fromEntries(read);
}

async function openSwap(files: Readonly<Record<string, string>>): Promise<FileSwap & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-swap-"));
  folders.push(folder);
  const root = join(folder, "root");
  await mkdir(root);
  await makeFiles(root, files);
  return { folder, root, aside: join(folder, "aside"), spare: join(root, ".spare") };
}

async function change(copies: string): Promise<void> {
  await rm(join(copies, "sub"), { recursive: true });
  await makeFiles(copies, AFTER);
}

test("files are swapped, and no temporary file remains", async () => {
  const swap = await openSwap(BEFORE);
  await swapFiles(swap, PATHS, change);
  expect(await filesOf(swap.root)).toEqual(AFTER);
  expect(await readdir(swap.root)).toEqual(["a.txt", "c"]);
  expect(await readdir(swap.folder)).toEqual(["root"]);
});

test("only the user can read the temporary folder below the root", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}.txt`);
  const swap = await openSwap(Object.fromEntries(names.map((name) => [name, "before"])));
  const modes: number[] = [];
  const watcher = watch(swap.root, () => {
    const found = statSync(swap.spare, { throwIfNoEntry: false });
    if (found !== undefined) modes.push(found.mode & 0o777);
  });
  await swapFiles(swap, names, async (copies) => {
    await Promise.all(names.map((name) => writeFile(join(copies, name), "after")));
  });
  watcher.close();
  expect(new Set(modes)).toEqual(new Set([0o700]));
});

test("only the user can read the copies of the files", async () => {
  const swap = await openSwap(BEFORE);
  const modes: number[] = [];
  await swapFiles(swap, PATHS, async (copies) => {
    for (const path of [copies, dirname(copies)]) modes.push((await stat(path)).mode & 0o777);
    await change(copies);
  });
  expect(modes).toEqual([0o700, 0o700]);
});

test("a failure before or during the swap leaves the files unchanged", async () => {
  const refused = await openSwap(BEFORE);
  const fails = swapFiles(refused, PATHS, async () => Promise.reject(new Error("no space left")));
  await expect(fails).rejects.toThrow("no space left");
  expect(await filesOf(refused.folder)).toEqual({ "root/a.txt": "a", "root/sub/b.txt": "b" });
  // The path of the last file is occupied by a folder of the user that is not empty.
  const swap = await openSwap({ ...BEFORE, "c/d.txt/own.txt": "own" });
  await expect(swapFiles(swap, PATHS, change)).rejects.toThrow();
  expect(await filesOf(swap.root)).toEqual({ ...BEFORE, "c/d.txt/own.txt": "own" });
  expect(await readdir(swap.folder)).toEqual(["root"]);
});

test.for([
  ["nothing", BEFORE],
  ["some", { "a.txt": "A", "sub/b.txt": "b" }],
  ["all", AFTER],
] as const)("a swap interrupted when %s of it was done is completed", async ([, files]) => {
  const swap = await openSwap({ ...files, "own.txt": "own" });
  await makeFiles(swap.aside, { "ready.json": JSON.stringify(PATHS) });
  await makeFiles(join(swap.aside, "before"), BEFORE);
  await makeFiles(join(swap.aside, "after"), AFTER);
  await makeFiles(swap.spare, { "0": "half" });
  expect(await finishSwap(swap)).toBe(true);
  expect(await filesOf(swap.root)).toEqual({ ...AFTER, "own.txt": "own" });
  expect(await finishSwap(swap)).toBe(false);
});

test("a swap whose files were changed since is not completed", async () => {
  const swap = await openSwap({ ...BEFORE, "a.txt": "mine" });
  await makeFiles(swap.aside, { "ready.json": JSON.stringify(PATHS) });
  await makeFiles(join(swap.aside, "before"), BEFORE);
  await makeFiles(join(swap.aside, "after"), AFTER);
  expect(await finishSwap(swap)).toBe(false);
  expect(await filesOf(swap.root)).toEqual({ ...BEFORE, "a.txt": "mine" });
});
