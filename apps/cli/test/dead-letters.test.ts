import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Engine, type RunCluster, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { createRemoteEngine, startServer, startWorker } from "@switchyard/server";
import { openNatsCluster } from "@switchyard/stores/nats";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const PATIENCE_MS = 300_000;
const ENGINE = "waiting";
const NAME = "team";

/** Timer of a process that sends no heartbeats, as if it were dead. */
const STOPPED = {
  monotonic: () => performance.now(),
  sleep: async (
    durationMs: number,
    { signal, isBackground = false }: { signal?: AbortSignal | undefined; isBackground?: boolean | undefined } = {},
  ) => {
    if (isBackground) await new Promise(() => undefined);
    await sleep(durationMs, undefined, { signal });
  },
};

/** Engine that ends only when its run is cancelled. */
const blocked = defineEngine(
  ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }),
  { name: ENGINE, emitsCheckpoint: true, supportsResume: true },
);
const finishing = defineEngine(
  async (_, __, board) => {
    board.set(SESSION_RESULT, { exit_code: 0, final_message: "done" });
  },
  { name: ENGINE, emitsCheckpoint: true, supportsResume: true },
);

async function startWorkerOf(cluster: RunCluster, name: string, engine: Engine): Promise<void> {
  const worker = startWorker({
    ...{ cluster, name, environments: ["local"], version: "0.0.0", stateDirectory: join(await makeFolder(), "state") },
    engines: [
      {
        session: { engine, engineName: ENGINE },
        openEnvironment: (root) => ({ type: "local", root, env: process.env }),
      },
    ],
  });
  onTestFinished(async () => {
    worker.cancelRuns();
    await worker.drain();
  });
}

test(
  "a run whose worker died in three attempts is a dead letter, which `cluster requeue` queues again",
  async ({ skip }) => {
    skip(natsServerProblem() !== undefined, natsServerProblem());
    const broker = await startNatsServer();
    onTestFinished(() => broker.stop());
    const connect = async (timer?: typeof STOPPED): Promise<RunCluster> => {
      const filesDirectory = await makeFolder();
      const cluster = await openNatsCluster({ servers: broker.url, name: NAME, filesDirectory, leaseMs: 300, timer });
      onTestFinished(() => cluster[Symbol.asyncDispose]());
      return cluster;
    };
    const server = await startServer({
      session: { engine: createRemoteEngine(ENGINE), engineName: ENGINE },
      cluster: await connect(),
      stateDirectory: join(await makeFolder(), "state"),
      openEnvironment: (root) => ({ type: "local", root, env: process.env }),
    });
    onTestFinished(() => server.drain());
    const created = await fetch(`${server.url}/v1/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input: { messages: [{ role: "user", content: "Do it." }] } }),
    });
    const { run_id: runId } = Object(await created.json());
    const show = async () => Object(await (await fetch(`${server.url}/v1/runs/${runId}`)).json());
    for (const name of ["first", "second", "third"]) {
      await startWorkerOf({ ...(await connect(STOPPED)), announce: () => undefined }, name, blocked);
    }
    await expect
      .poll(show, { timeout: PATIENCE_MS })
      .toMatchObject({ status: "error", error: { code: "run.workers_lost" } });
    const queue = ["--queue", `${broker.url}/${NAME}`];
    const { stdout } = await switchyard(["cluster", "status", "--json", ...queue]);
    expect(JSON.parse(stdout)).toMatchObject({ dead_letters: [{ run_id: runId, lost_attempts: 3 }], owners: [] });
    const unknown = await switchyard(["cluster", "requeue", runId, "run-that-does-not-exist", ...queue]);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain("run-that-does-not-exist");
    expect(await show()).toMatchObject({ status: "error" });
    const requeued = await switchyard(["cluster", "requeue", ...queue]);
    expect([requeued.exitCode, requeued.stderr]).toEqual([0, "1 run requeued"]);
    expect(await show()).toMatchObject({ status: "queued" });
    await startWorkerOf(await connect(), "fourth", finishing);
    await expect
      .poll(show, { timeout: PATIENCE_MS })
      .toMatchObject({ status: "completed", worker: "fourth", result: { final_message: "done" } });
    expect((await switchyard(["cluster", "requeue", ...queue])).stderr).toBe("0 runs requeued");
  },
  PATIENCE_MS,
);
