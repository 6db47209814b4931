import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acceptsRuns, hasRoom } from "./accepts-runs.ts";

const ROOMY = { bsize: 4_096, blocks: 1_000_000, bavail: 500_000, files: 100_000, ffree: 50_000 };

test.for([
  ["with room", ROOMY, true],
  ["that is full", { ...ROOMY, bavail: 0 }, false],
  ["with room for a few lines only", { ...ROOMY, bavail: 10 }, false],
  ["that has no more names", { ...ROOMY, ffree: 0 }, false],
  ["that does not count names", { ...ROOMY, files: 0, ffree: 0 }, true],
  ["that does not say how large it is", { bsize: 4_096, blocks: 0, bavail: 0, files: 0, ffree: 0 }, true],
] as const)("a disk %s takes runs or does not", ([, stats, takes]) => {
  expect(hasRoom(stats)).toBe(takes);
});

test("a folder takes runs, and one that is gone does not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-room-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(await acceptsRuns(folder)).toBe(true);
  expect(await acceptsRuns(join(folder, "gone"))).toBe(false);
});
