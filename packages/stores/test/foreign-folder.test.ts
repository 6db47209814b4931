import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileCheckpointStore, openFileStore } from "../src/file/index.ts";
import { openSqliteCheckpointStore, openSqliteStore } from "../src/sqlite/index.ts";
import { SAMPLE_REQUEST, sampleRecord } from "./run-samples.ts";

const isRoot = process.geteuid?.() === 0;
const STRANGER = 54_321;

async function makeFolder({ uid, mode }: { uid?: number; mode: number }): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "switchyard-foreign-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, "state");
  await mkdir(folder);
  await chmod(folder, mode);
  if (uid !== undefined) await chown(folder, uid, uid);
  return folder;
}

/** Resolves with the error codes of creating, listing and showing runs. */
async function codesOf(directory: string): Promise<unknown[]> {
  const store = openFileStore({ directory });
  onTestFinished(() => store.close());
  const actions = [
    () => store.create(sampleRecord("run-1"), SAMPLE_REQUEST),
    () => store.list(),
    () => store.show("run-1"),
  ];
  const codes: unknown[] = [];
  for (const action of actions) {
    codes.push(
      await action().then(
        () => "done",
        (error: unknown) => Reflect.get(Object(error), "code"),
      ),
    );
  }
  return codes;
}

test("a state folder of another user that others can write to is refused [needs root]", async ({ skip }) => {
  skip(!isRoot, "needs root");
  const refused = Array(3).fill("store.foreign_folder");
  for (const mode of [0o777, 0o775, 0o1777, 0o722]) {
    expect([mode, await codesOf(await makeFolder({ uid: STRANGER, mode }))]).toEqual([mode, refused]);
  }
  const planted = await makeFolder({ mode: 0o777 });
  await mkdir(join(planted, "runs"));
  await chown(join(planted, "runs"), STRANGER, STRANGER);
  expect(await codesOf(planted)).toEqual(refused);
});

test("a state folder below a folder of another user that others can write to is refused [needs root]", async ({
  skip,
}) => {
  skip(!isRoot, "needs root");
  const refused = Array(3).fill("store.foreign_folder");
  for (const mode of [0o777, 0o775]) {
    const parent = await makeFolder({ uid: STRANGER, mode });
    await mkdir(join(parent, "mine", "state"), { recursive: true });
    expect([mode, await codesOf(join(parent, "mine", "state"))]).toEqual([mode, refused]);
    expect([mode, await codesOf(join(parent, "new", "state"))]).toEqual([mode, refused]);
    await expect(openSqliteStore({ path: join(parent, "mine", "runs.db") })).rejects.toMatchObject({
      code: "store.foreign_folder",
      message: expect.stringContaining(parent),
    });
    // Creates a link to such a folder, and a link inside it.
    const own = await makeFolder({ mode: 0o700 });
    await symlink(join(parent, "mine"), join(own, "link"));
    expect([mode, await codesOf(join(own, "link", "state"))]).toEqual([mode, refused]);
    await symlink(own, join(parent, "out"));
    expect([mode, await codesOf(join(parent, "out", "state"))]).toEqual([mode, refused]);
    expect(await readdir(parent)).toEqual(["mine", "out"]);
  }
  for (const mode of [0o1777, 0o755]) {
    const parent = await makeFolder({ uid: STRANGER, mode });
    expect([mode, await codesOf(join(parent, "mine"))]).toEqual([mode, ["done", "done", "done"]]);
  }
});

test("a folder of another user works if other users cannot write to it [needs root]", async ({ skip }) => {
  skip(!isRoot, "needs root");
  expect(await codesOf(await makeFolder({ uid: STRANGER, mode: 0o755 }))).toEqual(["done", "done", "done"]);
});

test("a folder of this user works with any mode, and so does a new one below a sticky folder", async () => {
  for (const mode of [0o700, 0o777])
    expect(await codesOf(await makeFolder({ mode }))).toEqual(["done", "done", "done"]);
  const parent = await makeFolder({ mode: 0o1777, ...(isRoot ? { uid: STRANGER } : {}) });
  expect(await codesOf(join(parent, "mine"))).toEqual(["done", "done", "done"]);
});

test("no other store is opened in a folder in which others can plant runs [needs root]", async ({ skip }) => {
  skip(!isRoot, "needs root");
  const refused = { code: "store.foreign_folder" };
  for (const mode of [0o777, 0o775, 0o1777]) {
    const directory = await makeFolder({ uid: STRANGER, mode });
    const path = join(directory, "runs.db");
    await expect(openSqliteStore({ path })).rejects.toMatchObject(refused);
    await expect(openSqliteCheckpointStore({ path })).rejects.toMatchObject(refused);
    const checkpoints = openFileCheckpointStore({ directory });
    await expect(checkpoints.load("run-1")).rejects.toMatchObject(refused);
    await expect(checkpoints.list()).rejects.toMatchObject(refused);
    await expect(checkpoints.delete("run-1")).rejects.toMatchObject(refused);
    expect(await readdir(directory)).toEqual([]);
  }
});

test("a database and a checkpoint of another user are not read [needs root]", async ({ skip }) => {
  skip(!isRoot, "needs root");
  const directory = await makeFolder({ mode: 0o777 });
  for (const name of ["runs.db", "run-1.jsonl"]) {
    await writeFile(join(directory, name), "");
    await chown(join(directory, name), STRANGER, STRANGER);
  }
  const refused = { code: "store.foreign_folder" };
  await expect(openSqliteStore({ path: join(directory, "runs.db") })).rejects.toMatchObject(refused);
  await expect(openFileCheckpointStore({ directory }).load("run-1")).rejects.toMatchObject(refused);
});
