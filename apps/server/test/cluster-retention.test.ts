import { expect, onTestFinished, test } from "vitest";
import { call, untilStatus } from "./call-api.ts";
import { describeWithBroker, useClusters } from "./open-cluster.ts";
import { ASK } from "./open-server.ts";
import { stepEngine } from "./step-engine.ts";

const HOUR_MS = 3_600_000;

describeWithBroker("data on the broker", () => {
  const createCluster = useClusters();

  test("counts towards the maximum size of finished runs", async () => {
    const cluster = createCluster();
    const first = await cluster.addServer();
    await cluster.addWorker(stepEngine({ steps: 1 }));
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const form = new FormData();
      form.set("payload", JSON.stringify({ input: ASK }));
      form.append("files", new Blob(["x".repeat(100_000)]), "a.txt");
      const { body } = await call(first, "POST /v1/runs", { body: form });
      ids.push(String(body["run_id"]));
      await untilStatus(first, String(body["run_id"]), { status: "completed" });
    }
    await cluster.addServer({ keepRunsBytes: 250_000 });
    const statuses = () => Promise.all(ids.map(async (runId) => (await call(first, `GET /v1/runs/${runId}`)).status));
    await expect.poll(statuses).toEqual([404, 200, 200]);
  });

  test("is removed after an hour if it belongs to no run", async () => {
    const cluster = createCluster();
    const connection = await cluster.connect();
    onTestFinished(() => connection[Symbol.asyncDispose]());
    await connection.putFile("never-stored", "input.1", { path: "a.txt", content: Buffer.from("a") });
    const read = async () => (await connection.readFile("never-stored", "input.1", "a.txt"))?.length;
    await cluster.addServer({ now: () => Date.now() + 2 * HOUR_MS });
    await expect.poll(read).toBeUndefined();
  });
});
