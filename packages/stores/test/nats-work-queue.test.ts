import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { TaskAttempt, TaskLease, TaskRecord, WorkQueue } from "@switchyard/contracts";
import { startNatsServer } from "@switchyard/nats-server";
import { expect, onTestFinished, test } from "vitest";
import { type NatsWorkQueueOptions, openNatsWorkQueue } from "../src/nats/index.ts";
import { SYSTEM_TIMER } from "../src/owner/store-timer.ts";
import { brokerProblem, useBroker } from "./broker.ts";
import { startProxy } from "./broker-proxy.ts";
import { codeOf, listOf } from "./outcome.ts";

const broker = useBroker();
const RETRY_TIMEOUT_MS = 300_000;
const LEASE_MS = 400;

type Skip = (condition: boolean, note?: string) => void;

/** Opens several queues with the same name, as several processes would. */
function openQueues(skip: Skip): (more?: Partial<NatsWorkQueueOptions>) => Promise<WorkQueue> {
  skip(brokerProblem !== undefined, brokerProblem);
  const { server, createName } = broker();
  const name = createName();
  return async (more = {}) => {
    const queue = await openNatsWorkQueue({ servers: server.url, name, leaseMs: LEASE_MS, worker: "w", ...more });
    onTestFinished(() => queue.close());
    return queue;
  };
}

async function take(queue: WorkQueue): Promise<TaskLease> {
  const lease = await queue.take({ signal: AbortSignal.timeout(RETRY_TIMEOUT_MS) });
  if (lease === undefined) throw new Error("no task came");
  return lease;
}

function task(id: string, body: unknown = { do: id }): { group: string; id: string; body: unknown } {
  return { group: "plan", id, body };
}

test("a task is taken with its payload, and its one record is found by all", async ({ skip }) => {
  const open = openQueues(skip);
  const [adding, working] = [await open(), await open({ worker: "mill" })];
  expect(await adding.add(task("t/1 ü.>", { text: "x" }))).toBe("added");
  expect(await listOf(adding.records("plan"))).toEqual([]);
  const lease = await take(working);
  expect([lease.task, lease.attempt, lease.signal.aborted]).toEqual([task("t/1 ü.>", { text: "x" }), 1, false]);
  await lease.finish({ answer: 42 });
  const record = { group: "plan", id: "t/1 ü.>", kind: "finished", attempt: 1, worker: "mill", body: { answer: 42 } };
  for (const queue of [adding, working]) expect(await listOf(queue.records("plan"))).toEqual([record]);
  expect(await listOf(adding.records("other"))).toEqual([]);
});

test("a task with a record is never taken again, also when it is added again", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open();
  await queue.add(task("1"));
  await (await take(queue)).finish("first");
  expect(await queue.add(task("1"))).toBe("known");
  await queue.add(task("2"));
  expect((await take(queue)).task.id).toBe("2");
  expect((await listOf(queue.records("plan"))).map(({ body }) => body)).toEqual(["first"]);
});

test("a task that waits is added once, however often that is asked for", async ({ skip }) => {
  const open = openQueues(skip);
  const queues = await Promise.all([open(), open(), open()]);
  const answers = await Promise.all(queues.map((queue) => queue.add(task("1"))));
  expect([...answers].sort()).toEqual(["added", "known", "known"]);
  const [queue] = queues;
  await queue.add(task("2"));
  const leases = [await take(queue), await take(queue)];
  expect(leases.map((lease) => lease.task.id).sort()).toEqual(["1", "2"]);
  expect(await queue.take({ signal: AbortSignal.timeout(LEASE_MS) })).toBeUndefined();
});

test("a held task stays with its worker for longer than a lease", async ({ skip }) => {
  const open = openQueues(skip);
  const [first, second] = [await open(), await open()];
  await first.add(task("1"));
  const lease = await take(first);
  expect(await second.take({ signal: AbortSignal.timeout(4 * LEASE_MS) })).toBeUndefined();
  expect(lease.signal.aborted).toBe(false);
  await lease.finish("done");
  expect((await listOf(second.records("plan"))).map(({ attempt }) => attempt)).toEqual([1]);
});

test("a task of a dead worker is taken as a further attempt, and the earlier worker is refused [D6]", async ({
  skip,
}) => {
  const open = openQueues(skip);
  const [gone, next] = [await open({ worker: "gone" }), await open({ worker: "next" })];
  await gone.add(task("1"));
  const stale = await take(gone);
  // The worker sends no more heartbeats, but its process continues.
  await gone.close();
  const lease = await take(next);
  expect(lease.attempt).toBe(2);
  expect(await codeOf(stale.finish("too late"))).toBe("queue.lease_lost");
  await lease.finish("in time");
  expect((await listOf(next.records("plan"))).map(({ body, worker }) => [body, worker])).toEqual([["in time", "next"]]);
});

test("a worker that learns late that it has claimed a task does not begin it if another has finished it [D6] [D7]", async ({
  skip,
}) => {
  const open = openQueues(skip);
  const proxy = await startProxy(broker().server);
  const [slow, quick] = [await open({ servers: proxy.url, worker: "slow" }), await open({ worker: "quick" })];
  await quick.add(task("1", "swordfish"));
  proxy.muteAfter("swordfish");
  const claimed = take(slow);
  await expect.poll(() => proxy.isMute()).toBe(true);
  const other = await take(quick);
  expect(other.task.id).toBe("1");
  await other.finish("by another");
  proxy.cut();
  await quick.add(task("2"));
  expect((await claimed).task.id).toBe("2");
});

test("a worker whose task was taken from it learns of it, and its record is refused [D6]", async ({ skip }) => {
  skip(brokerProblem !== undefined, brokerProblem);
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  const open = async (worker: string, timer?: NatsWorkQueueOptions["timer"]): Promise<WorkQueue> => {
    const queue = await openNatsWorkQueue({ servers: server.url, leaseMs: LEASE_MS, worker, timer });
    onTestFinished(() => queue.close());
    return queue;
  };
  // The worker's heartbeats are late, as if its process were suspended.
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const slow = await open("slow", {
    monotonic: () => performance.now(),
    sleep: async (durationMs, options) => {
      await asleep;
      await SYSTEM_TIMER.sleep(durationMs, options);
    },
  });
  const quick = await open("quick");
  await slow.add(task("1"));
  const stale = await take(slow);
  const lease = await take(quick);
  expect([lease.attempt, stale.signal.aborted]).toEqual([2, false]);
  wake();
  await expect.poll(() => stale.signal.aborted).toBe(true);
  expect(await codeOf(stale.finish("late"))).toBe("queue.lease_lost");
  expect(await codeOf(stale.release("late"))).toBe("queue.lease_lost");
  await lease.finish("done");
  expect((await listOf(slow.records("plan"))).map(({ worker }) => worker)).toEqual(["quick"]);
});

test("a returned task is taken again, and after its last attempt its record is dead", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open({ maxAttempts: 2 });
  await queue.add(task("1"));
  const attempts: number[] = [];
  for (const problem of ["no disk", "no net"]) {
    const lease = await take(queue);
    attempts.push(lease.attempt);
    await lease.release(problem, { delayMs: 10 });
    expect(await codeOf(lease.finish("after all"))).toBe("queue.lease_lost");
  }
  expect(attempts).toEqual([1, 2]);
  expect(await queue.take({ signal: AbortSignal.timeout(2 * LEASE_MS) })).toBeUndefined();
  const [record, ...others] = await listOf(queue.records("plan"));
  expect([record?.kind, record?.attempt, record?.problem, others]).toEqual(["dead", 2, "no net", []]);
  expect(await queue.add(task("1"))).toBe("known");
});

test("a dead task is listed with its payload, and is executed when it is queued again", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open({ maxAttempts: 1 });
  await queue.add(task("1", { do: "mend" }));
  await queue.add(task("2"));
  await (await take(queue)).release("no disk");
  await (await take(queue)).finish("done");
  // The next worker that receives the task records it as dead, and continues to wait.
  const next = take(queue);
  await expect.poll(() => listOf(queue.dead()), { timeout: RETRY_TIMEOUT_MS }).toHaveLength(1);
  const [dead, ...others] = await listOf(queue.dead());
  expect([dead?.group, dead?.id, dead?.task, dead?.problem]).toEqual(["plan", "1", { do: "mend" }, "no disk"]);
  expect([others, await listOf(queue.dead("other"))]).toEqual([[], []]);
  expect([await queue.requeue(task("1")), await queue.requeue(task("1")), await queue.requeue(task("2"))]).toEqual([
    true,
    false,
    false,
  ]);
  const lease = await next;
  expect([lease.task, lease.attempt]).toEqual([task("1", { do: "mend" }), 1]);
  await lease.finish("mended");
  expect((await listOf(queue.records("plan"))).map(({ kind }) => kind)).toEqual(["finished", "finished"]);
});

test("a full queue delays additions until a task ends or the signal aborts", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open({ capacity: 2 });
  await queue.add(task("1"));
  await queue.add(task("2"));
  const signal = AbortSignal.timeout(LEASE_MS);
  await expect(queue.add(task("3"), { signal })).rejects.toThrow();
  let isAdded = false;
  const adding = queue.add(task("4")).then(() => {
    isAdded = true;
  });
  const lease = await take(queue);
  expect(isAdded).toBe(false);
  await lease.finish("done");
  await adding;
});

test("a watcher sees attempts and records, earlier and later ones", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open();
  await queue.add(task("1"));
  await queue.add(task("2"));
  await (await take(queue)).finish("one");
  const seen: (TaskRecord | TaskAttempt)[] = [];
  const stopping = new AbortController();
  const watching = (async () => {
    for await (const update of queue.watch("plan", stopping.signal)) seen.push(update);
  })();
  await expect.poll(() => seen.map(({ id, kind }) => `${id} ${kind}`)).toEqual(["1 finished"]);
  const lease = await take(queue);
  await expect.poll(() => seen.map(({ id, kind }) => `${id} ${kind}`)).toEqual(["1 finished", "2 begun"]);
  await lease.finish("two");
  await expect.poll(() => seen.length).toBe(3);
  stopping.abort();
  await watching;
});

test("a watcher sees a record once, although it is stored again", async ({ skip }) => {
  const open = openQueues(skip);
  const { server, createName } = broker();
  const name = createName();
  const queue = await open({ name });
  const seen: string[] = [];
  const stopping = new AbortController();
  const watching = (async () => {
    for await (const { id, kind } of queue.watch("plan", stopping.signal)) seen.push(`${id} ${kind}`);
  })();
  await queue.add(task("1"));
  const first = await take(queue);
  // A watcher gets only the last record of a task, so it must have seen the first one before the task is finished.
  await expect.poll(() => seen).toContain("1 begun");
  await first.finish("one");
  await expect.poll(() => seen.at(-1)).toBe("1 finished");
  const connection = await connect({ servers: server.url });
  const manager = await jetstreamManager(connection);
  const stream = `${name}_task_states`;
  const { state } = await manager.streams.info(stream);
  const stored = await manager.streams.getMessage(stream, { seq: state.last_seq });
  if (stored === null) throw new Error("no state is stored");
  for (const key of ["Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence"]) stored.header.delete(key);
  await jetstream(connection).publish(stored.subject, stored.data, { headers: stored.header });
  await connection.close();
  await queue.add(task("2"));
  const second = await take(queue);
  await expect.poll(() => seen).toContain("2 begun");
  await second.finish("two");
  await expect.poll(() => seen.at(-1)).toBe("2 finished");
  expect(seen).toEqual(["1 begun", "1 finished", "2 begun", "2 finished"]);
  stopping.abort();
  await watching;
});

test("a forgotten group leaves no data, and can be added again", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open();
  await queue.add(task("1"));
  await (await take(queue)).finish("one");
  await queue.add(task("2"));
  await queue.forget("plan");
  expect(await listOf(queue.records("plan"))).toEqual([]);
  expect(await queue.add(task("1"))).toBe("added");
  const lease = await take(queue);
  expect([lease.task.id, lease.attempt]).toEqual(["1", 1]);
});

test("a group that is forgotten leaves the waiting tasks of other groups in the queue", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open();
  const other = { ...task("1"), group: "other" };
  for (const added of [task("1"), other, task("2")]) await queue.add(added);
  await queue.forget("plan");
  expect((await take(queue)).task).toEqual(other);
});

test(
  "a broker that is killed and restarted has all tasks and records, and waiting clients continue",
  async ({ skip }) => {
    skip(brokerProblem !== undefined, brokerProblem);
    const server = await startNatsServer();
    onTestFinished(() => server.stop());
    const open = async (): Promise<WorkQueue> => {
      const queue = await openNatsWorkQueue({ servers: server.url, leaseMs: RETRY_TIMEOUT_MS });
      onTestFinished(() => queue.close());
      return queue;
    };
    const [adding, working] = [await open(), await open()];
    await adding.add(task("1"));
    await adding.add(task("2"));
    await (await take(working)).finish("before");
    const lease = await take(working);
    const waiting = take(working);
    await server.kill();
    const finishing = lease.finish("meanwhile");
    const added = adding.add(task("3"));
    await server.start();
    await Promise.all([finishing, added]);
    const third = await waiting;
    expect(third.task.id).toBe("3");
    await third.finish("after");
    const records = await listOf(adding.records("plan"));
    expect(records.map(({ body }) => body).sort()).toEqual(["after", "before", "meanwhile"]);
  },
  RETRY_TIMEOUT_MS,
);

test("a record may be larger than a message of the broker, and is removed with its group", async ({ skip }) => {
  const open = openQueues(skip);
  const [adding, working] = [await open(), await open()];
  await adding.add(task("1"));
  const watched = listOf(adding.watch("plan", AbortSignal.timeout(RETRY_TIMEOUT_MS)));
  const body = { patch: "ü".repeat(3_000_000) };
  await (await take(working)).finish(body);
  expect(await listOf(adding.records("plan"))).toMatchObject([{ id: "1", kind: "finished", attempt: 1, body }]);
  expect(await adding.add(task("1"))).toBe("known");
  await adding.close();
  expect((await watched).at(-1)).toMatchObject({ id: "1", kind: "finished", body });
  await working.forget("plan");
  expect(await listOf(working.records("plan"))).toEqual([]);
  expect(await working.add(task("1"))).toBe("added");
});

test("a closed queue rejects calls and ends waits; a payload that is too large is rejected", async ({ skip }) => {
  const open = openQueues(skip);
  const queue = await open();
  expect(await codeOf(queue.add(task("1", "x".repeat(1_100_000))))).toBe("broker.too_large");
  const waiting = queue.take();
  await queue.close();
  await queue.close();
  expect(await waiting).toBeUndefined();
  expect(await codeOf(queue.add(task("2")))).toBe("queue.closed");
  expect(await codeOf(queue.take())).toBe("queue.closed");
});
