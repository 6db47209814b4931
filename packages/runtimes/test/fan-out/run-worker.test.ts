import { EngineError, type TaskLease, type WorkQueue } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { type PackagedTaskExecutor, runWorker } from "../../src/index.ts";

function leasesOf(ids: readonly string[]): { queue: Pick<WorkQueue, "take">; calls: string[]; remaining: TaskLease[] } {
  const calls: string[] = [];
  const remaining = ids.map(
    (id): TaskLease => ({
      task: { group: "g", id, body: { task_id: id } },
      attempt: 1,
      signal: new AbortController().signal,
      finish: async (body) => void calls.push(`${id} finished: ${JSON.stringify(body)}`),
      release: async (problem) => void calls.push(`${id} released: ${problem}`),
    }),
  );
  return {
    queue: { take: async ({ signal } = {}) => (signal?.aborted === true ? undefined : remaining.shift()) },
    calls,
    remaining,
  };
}

test("an unsupported request is a failed task, which no other worker executes", async () => {
  const { queue, calls } = leasesOf(["t1"]);
  const stop = new AbortController();
  const execute: PackagedTaskExecutor = () => Promise.reject(new EngineError("runtime.not_found", { runtime: "x" }));
  await runWorker(queue, { execute, signal: stop.signal });
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatch(/^t1 finished: .*"task_id":"t1".*"status":"failed"/u);
});

test("a worker with an unwritable disk releases its task, takes no other and rejects", async () => {
  const { queue, calls, remaining } = leasesOf(["t1", "t2"]);
  const execute: PackagedTaskExecutor = () =>
    Promise.reject(new EngineError("run.store_failed", { path: "/full", problem: "the disk is full" }));
  const working = runWorker(queue, { execute, signal: new AbortController().signal });
  await expect(working).rejects.toMatchObject({ code: "run.store_failed" });
  expect(calls).toEqual([expect.stringContaining("t1 released")]);
  expect(remaining.map(({ task }) => task.id)).toEqual(["t2"]);
});
