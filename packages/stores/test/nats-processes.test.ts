import type { RunStore } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openNatsStore } from "../src/nats/index.ts";
import { brokerProblem, useBroker } from "./broker.ts";
import { codeOf, seqsOf, temporaryFolder } from "./outcome.ts";
import { SAMPLE_REQUEST, sampleCheckpoint, sampleRecord } from "./run-samples.ts";
import { killAfter, startWorker } from "./worker-process.ts";

const CHILD = new URL("./fixtures/nats-child.mjs", import.meta.url);
const broker = useBroker();
// Time limit in milliseconds. It is long because a child process must load the sources first.
const RETRY_TIMEOUT_MS = 300_000;

/** A store of the test, and the arguments with which another process opens it. */
interface Cluster {
  readonly argv: readonly [servers: string, name: string, filesDirectory: string];
  open(): Promise<RunStore>;
}

async function createCluster(skip: (condition: boolean, note?: string) => void): Promise<Cluster> {
  skip(brokerProblem !== undefined, brokerProblem);
  const { server, createName } = broker();
  const [name, filesDirectory] = [createName(), await temporaryFolder()];
  return {
    argv: [server.url, name, filesDirectory],
    open: async () => {
      const store = await openNatsStore({ servers: server.url, name, filesDirectory, leaseMs: 400 });
      onTestFinished(() => store.close());
      return store;
    },
  };
}

test(
  "data reported as stored can be loaded, whenever the process is killed [D1] [D2] [D8]",
  async ({ skip }) => {
    const cluster = await createCluster(skip);
    const store = await cluster.open();
    await (await store.create(sampleRecord("run-1"), SAMPLE_REQUEST)).release();
    for (const steps of [1, 7, 40]) {
      const worker = startWorker(CHILD, ...cluster.argv);
      worker.send("acquire run-1");
      worker.send("work 100000");
      const acknowledged = await killAfter(worker, steps);
      // Opens the store as another process would.
      const next = await cluster.open();
      const [iteration, seq] = [Number(acknowledged["iteration"]), Number(acknowledged["seq"])];
      const loaded = await next.load("run-1");
      expect(loaded?.iteration).toBeGreaterThanOrEqual(iteration);
      expect(loaded?.board.vars["steps"]).toHaveLength(loaded?.iteration ?? 0);
      const seqs = await seqsOf(next.events("run-1"));
      expect(seqs.length).toBeGreaterThanOrEqual(seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect((await next.show("run-1")).problems).toEqual([]);
      // The other process is dead, so its lease is free without waiting.
      expect((await next.show("run-1")).lease?.isHeld).toBe(false);
      const writer = await next.acquire("run-1");
      await writer.save(sampleCheckpoint("run-1", 0, { ...loaded }));
      await writer.release();
    }
  },
  RETRY_TIMEOUT_MS,
);

test(
  "two processes write their own runs at the same time, and neither acquires the other's [D6]",
  async ({ skip }) => {
    const cluster = await createCluster(skip);
    const store = await cluster.open();
    const workers = [startWorker(CHILD, ...cluster.argv), startWorker(CHILD, ...cluster.argv)];
    await Promise.all(
      workers.map(async (worker, index) => {
        worker.send(`create run-${index}`);
        worker.send("work 40");
        expect(await worker.next()).toEqual({ done: "create" });
        for (let step = 1; step <= 40; step += 1) expect(await worker.next()).toEqual({ iteration: step, seq: step });
        expect(await worker.next()).toEqual({ done: "work" });
      }),
    );
    for (const runId of ["run-0", "run-1"]) {
      expect((await store.load(runId))?.iteration).toBe(40);
      expect(await codeOf(store.acquire(runId))).toBe("run.leased");
      expect(await codeOf(store.delete(runId))).toBe("run.leased");
    }
    expect(await store.collectGarbage({ before: Date.now() + 1e9, includeResumable: true })).toEqual([]);
    for (const worker of workers) worker.send("release");
    for (const worker of workers) expect(await worker.next()).toEqual({ done: "release" });
    for (const runId of ["run-0", "run-1"]) expect((await store.acquire(runId)).epoch).toBe(2);
  },
  RETRY_TIMEOUT_MS,
);

test(
  "a process that was suspended while its run was taken over is refused when it wakes up [D6]",
  async ({ skip }) => {
    const cluster = await createCluster(skip);
    const store = await cluster.open();
    const worker = startWorker(CHILD, ...cluster.argv);
    worker.send("create run-1");
    expect(await worker.next()).toEqual({ done: "create" });
    worker.process.kill("SIGSTOP");
    const writer = await store.acquire("run-1");
    expect(writer.epoch).toBe(2);
    await writer.save(sampleCheckpoint("run-1", "new", { iteration: 100 }));
    worker.send("work 1");
    worker.process.kill("SIGCONT");
    expect(await worker.next()).toEqual({ failed: "store.stale_epoch" });
    expect((await store.load("run-1"))?.iteration).toBe(100);
    expect(await seqsOf(store.events("run-1"))).toEqual([]);
  },
  RETRY_TIMEOUT_MS,
);
