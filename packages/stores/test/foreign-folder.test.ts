import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileStore } from "../src/file/index.ts";
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

/** The codes of what the store says to creating, listing and showing. */
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

test.skipIf(!isRoot)("a state folder of another user that others can write to is refused [needs root]", async () => {
  const refused = Array(3).fill("store.foreign_folder");
  for (const mode of [0o777, 0o775, 0o1777, 0o722]) {
    expect([mode, await codesOf(await makeFolder({ uid: STRANGER, mode }))]).toEqual([mode, refused]);
  }
  const planted = await makeFolder({ mode: 0o777 });
  await mkdir(join(planted, "runs"));
  await chown(join(planted, "runs"), STRANGER, STRANGER);
  expect(await codesOf(planted)).toEqual(refused);
});

test.skipIf(!isRoot)("a folder of another user that nobody else can write to works [needs root]", async () => {
  expect(await codesOf(await makeFolder({ uid: STRANGER, mode: 0o755 }))).toEqual(["done", "done", "done"]);
});

test("a folder of this user works whatever its mode, and so does a new one below a sticky folder", async () => {
  for (const mode of [0o700, 0o777])
    expect(await codesOf(await makeFolder({ mode }))).toEqual(["done", "done", "done"]);
  const parent = await makeFolder({ mode: 0o1777, ...(isRoot ? { uid: STRANGER } : {}) });
  expect(await codesOf(join(parent, "mine"))).toEqual(["done", "done", "done"]);
});
