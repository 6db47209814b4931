import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockWorkspace, withFileLock } from "@switchyard/workspace";
import { expect, onTestFinished, test } from "vitest";
import { type Locker, startLockers } from "./start-lockers.ts";

async function holdInOtherProcess(): Promise<{ holder: Locker; state: string; path: string }> {
  const state = mkdtempSync(join(tmpdir(), "file-lock-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const [holder] = await startLockers(state, 1);
  if (holder === undefined) throw new Error("no process");
  const path = join(state, "locks", "acquiring");
  expect(await holder.tell(`hold ${path}`)).toBe("held");
  return { holder, state, path };
}

test("the lock of a killed process is taken over without waiting", async () => {
  const { holder, path } = await holdInOtherProcess();
  await expect(withFileLock(path, async () => "too early", { maxWaitMs: 0 })).rejects.toThrow("process");
  await holder.kill();
  expect(await withFileLock(path, async () => "done", { maxWaitMs: 0 })).toBe("done");
});

test("a run starts although another one was killed while locking its folder", async () => {
  const { holder, state } = await holdInOtherProcess();
  await holder.kill();
  const onTakeover = async () => {};
  await using _held = await lockWorkspace(state, { state, runId: "next", onTakeover });
});

test("a hanging holder is named, and nothing runs concurrently", async () => {
  const { holder, path } = await holdInOtherProcess();
  holder.stop();
  let runs = 0;
  const waiting = withFileLock(
    path,
    async () => {
      runs += 1;
    },
    { maxWaitMs: 100 },
  );
  await expect(waiting).rejects.toMatchObject({
    code: "run.store_failed",
    message: expect.stringMatching(/process \d+ has held it for too long/),
  });
  expect(runs).toBe(0);
});

test("callers that queue after a killed holder run one at a time", async () => {
  const { holder, path } = await holdInOtherProcess();
  await holder.kill();
  let running = 0;
  const work = async (): Promise<void> => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 30 }, () => withFileLock(path, work)));
});
