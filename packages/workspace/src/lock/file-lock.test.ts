import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Owner } from "@switchyard/process-owner";
import { afterEach, expect, test } from "vitest";
import { tryFileLock } from "./file-lock.ts";

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/**
 * Creates an owner that cannot determine whether other holders are alive, as if they were on another machine or from
 * before a reboot.
 */
function ownerOf(token: string): Owner {
  return { token, livenessOf: () => "unknown" };
}

async function lockPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-lock-"));
  folders.push(folder);
  return join(folder, "lock");
}

test.for([
  ["a machine that was switched off", "1-2-00000000-00000000\n01run\nrandom\n"],
  ["one whose lock was lost with the power", ""],
])("the lock of %s is taken over when nobody gives signs of life for it [D12]", async ([, content = ""]) => {
  const path = await lockPath();
  await writeFile(path, content);
  const result = await tryFileLock(path, { owner: ownerOf("next"), note: "", silenceMs: 60 });
  expect(result).toHaveProperty("taken");
  if ("taken" in result) await result.taken[Symbol.asyncDispose]();
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("a holder of whom nothing is known keeps its lock as long as it gives signs of life", async () => {
  const path = await lockPath();
  const held = await tryFileLock(path, { owner: ownerOf("first"), note: "01run", silenceMs: 1_500 });
  expect(held).toHaveProperty("taken");
  const refused = await tryFileLock(path, { owner: ownerOf("next"), note: "", silenceMs: 1_500 });
  expect(refused).toEqual({ holder: { token: "first", note: "01run" } });
  if ("taken" in held) await held.taken[Symbol.asyncDispose]();
});

test("a lock that is given back meanwhile is had by whoever looks for signs of life", async () => {
  const path = await lockPath();
  const held = await tryFileLock(path, { owner: ownerOf("first"), note: "", silenceMs: 600_000 });
  let returned: Promise<void> | undefined;
  const giveBack = async (): Promise<void> => {
    if ("taken" in held) await held.taken[Symbol.asyncDispose]();
  };
  const owner: Owner = {
    token: "next",
    livenessOf: () => {
      returned ??= giveBack();
      return "unknown";
    },
  };
  expect(await tryFileLock(path, { owner, note: "", silenceMs: 1_000 })).toHaveProperty("taken");
  await returned;
});
