import type { TaskAttempt, TaskRecord, WorkQueue } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { planFanOut } from "./plan-fan-out.ts";
import { queueFanOut } from "./queue-fan-out.ts";

/** Returns a queue with these two functions. It has no dead tasks and stores nothing. */
function queueWith({ add, watch }: Pick<WorkQueue, "add" | "watch">): WorkQueue {
  async function* nothing(): AsyncGenerator<TaskRecord, void, undefined> {}
  return {
    ...{ add, watch, records: nothing, dead: nothing },
    take: async () => undefined,
    requeue: async () => false,
    forget: async () => undefined,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

test("if collecting the records fails, adding tasks stops and the error is reported", async () => {
  const reasons: unknown[] = [];
  const queue = queueWith({
    add: (_task, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      }),
    // biome-ignore lint/correctness/useYield: the broker is lost before the first record.
    async *watch(): AsyncGenerator<TaskRecord | TaskAttempt, void, undefined> {
      throw new Error("the broker is gone");
    },
  });
  await expect(queueFanOut(planFanOut({ items: [{ id: "a" }] }), { queue })).rejects.toThrow("the broker is gone");
  expect(reasons).toHaveLength(1);
});

test("each task is added once, and its record is read where the plan says, even if the option is unset", async () => {
  const added: string[] = [];
  const plan = planFanOut({
    ...{ items: [{ id: "a" }, { id: "b" }], outcome_path: "result.outcome", success_statuses: ["good"] },
  });
  const ids = plan.task_requests.map(({ id }) => id);
  const queue = queueWith({
    add: async ({ id }) => {
      added.push(id);
      return "added";
    },
    async *watch(group): AsyncGenerator<TaskRecord | TaskAttempt, void, undefined> {
      for (const id of ids) {
        const body = { result: { outcome: { status: "good", task_id: id } } };
        yield { group, id, attempt: 1, worker: "w", kind: "finished", body };
      }
    },
  });
  const run = await queueFanOut(plan, { queue, outcomePath: undefined, successStatuses: undefined });
  expect(added).toEqual(ids);
  expect(run.status).toBe("completed");
});
