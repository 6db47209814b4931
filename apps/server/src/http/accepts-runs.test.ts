import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acceptsRuns, hasRoom } from "./accepts-runs.ts";

const ROOMY = { bsize: 4_096, blocks: 1_000_000, bavail: 500_000, files: 100_000, ffree: 50_000 };

test.for([
  ["with free space", ROOMY, true],
  ["without free space", { ...ROOMY, bavail: 0 }, false],
  ["with very little free space", { ...ROOMY, bavail: 10 }, false],
  ["without free inodes", { ...ROOMY, ffree: 0 }, false],
  ["that reports no inodes", { ...ROOMY, files: 0, ffree: 0 }, true],
  ["that reports no size", { bsize: 4_096, blocks: 0, bavail: 0, files: 0, ffree: 0 }, true],
] as const)("readiness with a disk %s", ([, stats, takes]) => {
  expect(hasRoom(stats)).toBe(takes);
});

test("a writable folder accepts runs, and a missing one does not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-room-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await acceptsRuns(folder)).toBe(true);
  expect(await acceptsRuns(join(folder, "gone"))).toBe(false);
});
