import { join } from "node:path";
import type { Engine, RunCluster } from "@switchyard/contracts";
import { type NatsServer, natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { openNatsCluster } from "@switchyard/stores/nats";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import {
  createRemoteEngine,
  type RunningWorker,
  type ServerOptions,
  startWorker,
  type WorkerOptions,
} from "../src/index.ts";
import { makeFolder, type OpenedServer, openServer } from "./open-server.ts";

/** Reason why no broker can be started here. `undefined` if one can. */
export const brokerProblem: string | undefined = natsServerProblem();
/** Registers tests that need a broker. Without one, they are reported as one skipped test, with the reason. */
export function describeWithBroker(title: string, tests: () => void): void {
  if (brokerProblem === undefined) describe(title, tests);
  else test(title, ({ skip }) => skip(brokerProblem));
}

/** Duration of leases in tests, in milliseconds. */
const LEASE_MS = 600;

/** Servers and workers that share a broker. */
export interface TestCluster {
  /** Address of the broker. */
  readonly url: string;
  /** Name of the cluster, which is the prefix of its subjects. */
  readonly name: string;
  readonly addServer: (options?: Partial<ServerOptions>) => Promise<OpenedServer>;
  readonly addWorker: (engine: Engine, options?: Partial<WorkerOptions>) => Promise<RunningWorker>;
  readonly connect: () => Promise<RunCluster>;
}

/** Starts one broker for all tests of a file, and returns a function that creates a cluster on it. */
export function useClusters(): () => TestCluster {
  let broker: NatsServer | undefined;
  beforeAll(async () => {
    if (brokerProblem === undefined) broker = await startNatsServer();
  });
  afterAll(async () => {
    await broker?.stop();
  });
  let count = 0;
  return () => {
    count += 1;
    const name = `cluster-${count}`;
    const connect = async (): Promise<RunCluster> => {
      const filesDirectory = await makeFolder();
      return await openNatsCluster({ servers: broker?.url ?? "", name, filesDirectory, leaseMs: LEASE_MS });
    };
    return {
      url: broker?.url ?? "",
      name,
      connect,
      addServer: async (options = {}) => {
        const cluster = await connect();
        const session = { engine: createRemoteEngine("served"), engineName: "served" };
        return await openServer(session.engine, { session, cluster, ...options });
      },
      addWorker: async (engine, options = {}) => {
        const cluster = await connect();
        const worker = startWorker({
          cluster,
          engines: [
            {
              session: { engine, engineName: "served" },
              openEnvironment: (root) => ({ type: "local", root, env: process.env }),
            },
          ],
          environments: ["local"],
          stateDirectory: join(await makeFolder(), "state"),
          version: "0.0.0",
          ...options,
        });
        onTestFinished(async () => {
          worker.cancelRuns();
          await worker.drain();
          await cluster[Symbol.asyncDispose]();
        });
        return worker;
      },
    };
  };
}
