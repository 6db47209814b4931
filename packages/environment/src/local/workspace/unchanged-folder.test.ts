import { mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { OpenedFolder } from "./pin-path.ts";
import { availableConfinement, openFolderNow } from "./pin-path.ts";
import type { UnchangedFolder } from "./unchanged-folder.ts";
import { readUnchangedFolder } from "./unchanged-folder.ts";

/** Type ids of file systems that record every change in the ctime: ext4, XFS, Btrfs, tmpfs. */
const KNOWN = [0xef53, 0x58465342, 0x9123683e, 0x01021994];
const PARENT = [tmpdir(), "/var/tmp", "/dev/shm"].find((folder) => isKnown(folder));
const DAY_MS = 86_400_000;

function isKnown(folder: string): boolean {
  try {
    return process.platform === "linux" && KNOWN.includes(statfsSync(folder).type);
  } catch {
    return false;
  }
}

function openFolder(parent: string): { root: string; folder: OpenedFolder } {
  const root = mkdtempSync(join(parent, "settled-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ["one", "two"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "file"), "");
  symlinkSync("one", join(root, "link"));
  const folder = openFolderNow({ real: root, style: "posix", confinement: availableConfinement() }, root);
  onTestFinished(() => folder.close());
  return { root, folder };
}

/** Reads a folder with a clock that is a day ahead. */
function readLater(folder: OpenedFolder): UnchangedFolder | undefined {
  return readUnchangedFolder(folder, 8, () => Date.now() + DAY_MS);
}

/** Waits until the clock of the file system has advanced, which advances in steps. */
function awaitNextTick(root: string): void {
  const before = statSync(root).ctimeMs;
  const probe = join(root, "one", "probe");
  for (let after = before; after <= before; after = statSync(probe).ctimeMs) writeFileSync(probe, "");
}

test("a folder that has not changed recently reports its folders, without links", ({ skip }) => {
  if (PARENT === undefined) return skip("no available file system reports every change of a folder");
  const { folder } = openFolder(PARENT);
  const settled = readLater(folder);
  expect([...(settled?.folders ?? [])].sort()).toEqual(["one", "two"]);
  expect(settled?.isUnchanged()).toBe(true);
});

test("a folder that has just changed is not settled", ({ skip }) => {
  if (PARENT === undefined) return skip("no available file system reports every change of a folder");
  const { folder } = openFolder(PARENT);
  expect(readUnchangedFolder(folder, 8)).toBeUndefined();
  expect(readUnchangedFolder(folder, 8, () => Date.now() - DAY_MS)).toBeUndefined();
});

test("replacing a name by a link is detected, even if it was replaced back", ({ skip }) => {
  if (PARENT === undefined) return skip("no available file system reports every change of a folder");
  const { root, folder } = openFolder(PARENT);
  const settled = readLater(folder);
  awaitNextTick(root);
  renameSync(join(root, "one"), join(root, "kept"));
  symlinkSync(tmpdir(), join(root, "one"));
  expect(settled?.isUnchanged()).toBe(false);
  rmSync(join(root, "one"));
  renameSync(join(root, "kept"), join(root, "one"));
  expect(settled?.isUnchanged()).toBe(false);
});

test("a change inside its subfolders does not count as a change of the folder", ({ skip }) => {
  if (PARENT === undefined) return skip("no available file system reports every change of a folder");
  const { root, folder } = openFolder(PARENT);
  const settled = readLater(folder);
  awaitNextTick(root);
  expect(settled?.isUnchanged()).toBe(true);
});

test("a large folder is not read for a few names", ({ skip }) => {
  if (PARENT === undefined) return skip("no available file system reports every change of a folder");
  const { root, folder } = openFolder(PARENT);
  for (let index = 0; index < 500; index += 1) writeFileSync(join(root, `${"x".repeat(40)}-${index}`), "");
  expect(readLater(folder)).toBeUndefined();
  expect(readUnchangedFolder(folder, 5000, () => Date.now() + DAY_MS)?.folders.size).toBe(2);
});
