import { connect } from "@nats-io/transport-node";
import type { RunCluster } from "@switchyard/contracts";
import { createBoard } from "@switchyard/engine";
import { expect, onTestFinished, test } from "vitest";
import { readClusterStatus } from "../src/index.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";

describeWithBroker("runs whose worker died", () => {
  const createCluster = useClusters();

  test("end with the reason if their checkpoint is damaged", async () => {
    const cluster = createCluster();
    const server = await cluster.addServer();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const runId = await create(server);
    const writer = await connection.store.acquire(runId);
    const board = createBoard().snapshot();
    await writer.update({ status: "running", environment: "local" });
    await writer.save({ execId: runId, step: "first", board, timestamp: "2026-01-01T00:00:00.000Z" });
    const raw = await connect({ servers: cluster.url });
    onTestFinished(() => raw.close());
    raw.publish(`${cluster.name}.run.${runId}.data.checkpoints`, "damaged");
    await raw.flush();
    // A run that is neither queued nor executed was lost by its worker.
    await writer.release();
    const { body } = await untilStatus(server, runId, { status: "error" });
    expect(body["error"]).toMatchObject({ code: "checkpoint.corrupt" });
    expect(server.errors).toEqual([expect.objectContaining({ code: "checkpoint.corrupt" })]);
  });
});

describeWithBroker("runs whose files are on a worker", () => {
  const createCluster = useClusters();

  test("wait at most 5 minutes for this worker", async () => {
    const cluster = createCluster();
    const [member, connection] = [await cluster.connect(), await cluster.connect()];
    onTestFinished(() => connection[Symbol.asyncDispose]());
    let [nowMs, announced] = [0, 0];
    const onWorker: RunCluster["onWorker"] = (listener) =>
      member.onWorker((worker) => {
        listener(worker);
        announced += 1;
      });
    const server = await cluster.addServer({ cluster: { ...member, onWorker }, monotonic: () => nowMs });
    const worker = { engines: ["served"], environments: ["local"], labels: {}, version: "0.0.0" };
    const announce = (): number => {
      connection.announce({ ...worker, format: 1, name: "busy", running: 1, free: 0 });
      return announced;
    };
    /** Lets ten seconds pass, in which the busy worker announces itself. */
    const pass = async (): Promise<void> => {
      const before = announced;
      // The server may not have subscribed to announcements yet.
      await expect.poll(announce).toBeGreaterThan(before);
      nowMs += 10_000;
    };
    const ask = (waitMs = 200) =>
      connection.requestRuns({ ...worker, format: 1, name: "idle", running: 0, free: 1 }, { waitMs });
    await pass();
    const waiting = await create(server);
    const writer = await connection.store.acquire(waiting);
    await writer.update({ worker: "busy" });
    await writer.release();
    const other = await create(server);
    // The leader offers the second run, but not the first one.
    await expect.poll(() => ask()).toEqual([other]);
    expect(await ask()).toEqual([]);
    for (let count = 0; count < 31; count += 1) await pass();
    // The server releases the run at its next check, which must not answer a request that has already ended.
    await expect.poll(() => ask(5_000)).toEqual([waiting]);
  });

  test("have waited since they were queued again, not since they were accepted", async () => {
    const cluster = createCluster();
    let nowMs = Date.parse("2026-01-01T12:00:00Z");
    const server = await cluster.addServer({ now: () => nowMs });
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    const runId = await create(server);
    expect((await call(server, `POST /v1/runs/${runId}/interrupt`, { body: {} })).status).toBe(202);
    nowMs += 3_600_000;
    expect((await call(server, `POST /v1/runs/${runId}/resume`, { body: {} })).status).toBe(202);
    nowMs += 5_000;
    const metrics = async () => (await call(server, "GET /metrics")).body["text"];
    await expect.poll(metrics).toMatch(/^switchyard_runs_queued 1$/mu);
    expect(await metrics()).toMatch(/^switchyard_queue_age_seconds 5$/mu);
    expect(await readClusterStatus(connection, { nowMs, collectMs: 0 })).toMatchObject({ queue_age_seconds: 5 });
  });
});
