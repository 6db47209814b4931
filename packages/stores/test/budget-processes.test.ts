import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBudgetLedger } from "../src/budget/index.ts";
import { openFileStore } from "../src/file/index.ts";
import { documentsOf } from "./document-subject.ts";
import { startWorker } from "./worker-process.ts";

const PROGRAM = new URL("./fixtures/budget-child.mjs", import.meta.url);
const CALL_TOKENS = 10;

test("two processes exceed a shared budget by at most their calls in progress", async () => {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-budget-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const limit = 295;
  const workers = [1, 2].map(() => startWorker(PROGRAM, directory, String(limit)));
  for (const worker of workers) expect(await worker.next()).toEqual({ ready: true });
  for (const worker of workers) worker.send("start");
  const tokens = await Promise.all(workers.map(async (worker) => Number((await worker.next())["tokens"])));
  const total = tokens.reduce((sum, one) => sum + one, 0);
  expect(total).toBeGreaterThanOrEqual(limit);
  expect(total).toBeLessThan(limit + CALL_TOKENS);
  const ledger = createBudgetLedger(documentsOf(openFileStore({ directory })), { now: () => 0 });
  expect((await ledger.report()).accounts).toMatchObject([
    { name: "server", tokens: total, reservedTokens: 0, runs: 0 },
  ]);
});
