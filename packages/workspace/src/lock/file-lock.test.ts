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
])("the lock of %s is taken over without heartbeats [D12]", async ([, content = ""]) => {
  const path = await lockPath();
  await writeFile(path, content);
  const result = await tryFileLock(path, { owner: ownerOf("next"), note: "", silenceMs: 60 });
  expect(result).toHaveProperty("acquired");
  if ("acquired" in result) await result.acquired[Symbol.asyncDispose]();
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("a holder of unknown liveness keeps its lock while it sends heartbeats", async () => {
  const path = await lockPath();
  const lock = await tryFileLock(path, { owner: ownerOf("first"), note: "01run", silenceMs: 1_500 });
  expect(lock).toHaveProperty("acquired");
  const refused = await tryFileLock(path, { owner: ownerOf("next"), note: "", silenceMs: 1_500 });
  expect(refused).toEqual({ holder: { token: "first", note: "01run" } });
  if ("acquired" in lock) await lock.acquired[Symbol.asyncDispose]();
});

test("a lock released meanwhile is acquired while waiting for heartbeats", async () => {
  const path = await lockPath();
  const lock = await tryFileLock(path, { owner: ownerOf("first"), note: "", silenceMs: 600_000 });
  let returned: Promise<void> | undefined;
  const giveBack = async (): Promise<void> => {
    if ("acquired" in lock) await lock.acquired[Symbol.asyncDispose]();
  };
  const owner: Owner = {
    token: "next",
    livenessOf: () => {
      returned ??= giveBack();
      return "unknown";
    },
  };
  expect(await tryFileLock(path, { owner, note: "", silenceMs: 1_000 })).toHaveProperty("acquired");
  await returned;
});
