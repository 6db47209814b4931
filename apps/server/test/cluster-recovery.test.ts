import { connect } from "@nats-io/transport-node";
import { createBoard } from "@switchyard/engine";
import { expect, onTestFinished, test } from "vitest";
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
    // A run that needs no recovery is not resumed by the leader.
    expect((await call(server, `GET /v1/runs/${runId}`)).body).toMatchObject({ status: "error" });
  });
});
