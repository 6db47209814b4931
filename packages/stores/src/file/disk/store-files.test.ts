import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/outcome.ts";
import { observeFiles } from "./observe-files.ts";
import { createNodeFiles, type StoreFile, type StoreFiles } from "./store-files.ts";

/** Creates disk operations that measure every flush as fast. */
function quickFiles(): StoreFiles {
  return createNodeFiles("adaptive", () => 0);
}

async function openProbed(files: StoreFiles): Promise<{ file: StoreFile; path: string }> {
  const path = join(await temporaryFolder(), "log");
  const file = await files.open(path, "new");
  for (let probes = 0; probes < 4; probes += 1) await file.sync();
  await nextTurn();
  return { file, path };
}

/** Resolves with whether the event loop continued while bytes were written and flushed. */
async function isTurnTaken(file: StoreFile, bytes: number): Promise<boolean> {
  let isTaken = false;
  const turn = nextTurn().then(() => {
    isTaken = true;
  });
  await file.write(Buffer.alloc(bytes, "x"));
  await file.sync();
  const taken = isTaken;
  await turn;
  return taken;
}

test("small writes are flushed on this thread once the disk is known to be fast", async () => {
  const { file, path } = await openProbed(quickFiles());
  expect(await isTurnTaken(file, 64 * 1024)).toBe(false);
  expect(await isTurnTaken(file, 64 * 1024 + 1)).toBe(true);
  expect(await isTurnTaken(file, 1)).toBe(false);
  await file.close();
  expect((await readFile(path)).length).toBe(2 * 64 * 1024 + 2);
});

test("in background mode nothing is measured and nothing is flushed on this thread", async () => {
  const { file, path } = await openProbed(
    createNodeFiles("background", () => {
      throw new Error("nobody asked");
    }),
  );
  await file.write(Buffer.from("kept"));
  await file.sync();
  await file.close();
  expect(await readFile(path, "utf8")).toBe("kept");
});

test("fault tests observe and stop flushes on this thread as well [D2]", async () => {
  const seen: string[] = [];
  let isFailing = false;
  const files = observeFiles(quickFiles(), ({ name }) => {
    seen.push(name);
    if (isFailing && name === "sync") throw new Error("no flush");
  });
  const { file } = await openProbed(files);
  seen.length = 0;
  expect(await isTurnTaken(file, 1)).toBe(false);
  isFailing = true;
  await expect(isTurnTaken(file, 1)).rejects.toThrow("no flush");
  expect(seen).toEqual(["write", "sync", "write", "sync"]);
  await file.close();
});
