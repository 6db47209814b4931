import { cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type NatsServer, startNatsCluster, startNatsServer } from "@switchyard/nats-server";
import { openNatsCluster } from "@switchyard/stores/nats";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRemoteEngine, parseTokens } from "../src/index.ts";
import { create } from "./call-api.ts";
import { meanWaits, observeRuns } from "./cluster-faults/observe-runs.ts";
import { openNetwork } from "./cluster-faults/open-network.ts";
import { watchAnywhere } from "./cluster-faults/watch-anywhere.ts";
import { WorkerProcesses } from "./cluster-faults/worker-processes.ts";
import { brokerProblem } from "./open-cluster.ts";
import { makeFolder, type OpenedServer, openServer } from "./open-server.ts";

// `pnpm test:cluster` uses more runs, workers and brokers.
const REQUESTED_RUNS = process.env["CLUSTER_RUNS"];
const RUNS = Number(REQUESTED_RUNS ?? 20);
const OWNERS = Math.max(4, Math.floor(RUNS / 5));
const WORKERS = REQUESTED_RUNS === undefined ? 2 : 6;
/** Number of ended runs between two faults. */
const RUNS_PER_FAULT = REQUESTED_RUNS === undefined ? 4 : Math.min(40, Math.floor(RUNS / 6));
const MAX_RUNNING = 2;
const LEASE_MS = 1_000;
/** Engines whose runs continue after the death of their worker. */
const RESUMABLE = ["steps", "agent"];
const ENGINES = [...RESUMABLE, "custom", "simulated", "runtime:minimal"];
const REPOSITORY = resolve(import.meta.dirname, "../../..");

vi.setConfig({ testTimeout: 120_000 + RUNS * 3_000 });

async function startBrokers(address: string | undefined): Promise<{ url: string; servers: readonly NatsServer[] }> {
  if (REQUESTED_RUNS !== undefined) {
    const cluster = await startNatsCluster(address);
    onTestFinished(() => cluster.stop());
    return cluster;
  }
  const server = await startNatsServer(address === undefined ? {} : { address });
  onTestFinished(() => server.stop());
  return { url: server.url, servers: [server] };
}

/** Returns the lines of a file that occur more than once. */
async function repeatedLines(path: string): Promise<string[]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return lines.filter((line, index) => lines.indexOf(line) !== index);
}

function countOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

function tokenOf(owner: number): string {
  return `token-of-owner-${String(owner).padStart(8, "0")}`;
}

/** Starts two servers with wrong clocks, and returns them with a function that replaces one of them. */
async function startServers(brokers: string, queue: string, filesDirectory: string) {
  const lines = Array.from({ length: OWNERS }, (_, owner) => `${tokenOf(owner)} owner=o${owner}`);
  const tokens = parseTokens(lines.join("\n"), "tokens.txt");
  const open = async (skewMs: number): Promise<OpenedServer> => {
    const cluster = await openNatsCluster({ servers: brokers, name: queue, filesDirectory, leaseMs: LEASE_MS });
    const engine = createRemoteEngine("steps");
    return await openServer(engine, {
      ...{ cluster, tokens, session: { engine, engineName: "steps" }, now: () => Date.now() + skewMs },
      ...{ rateLimit: { perMinute: 1e6, burst: 1e6 }, maxQueued: 1e5, streams: { maxPerOwner: 1e4 } },
      quotaOf: () => ({ maxRunning: MAX_RUNNING }),
    });
  };
  const servers: [OpenedServer, OpenedServer] = [await open(5 * 60_000), await open(-5 * 60_000)];
  return {
    servers,
    restart: async () => {
      await servers[1].drain();
      servers[1] = await open(0);
    },
  };
}

test("while workers, brokers, servers and connections fail, every run ends once, no unsafe effect is repeated, and clients see each event once [D1] [D4] [D7] [D8]", async ({
  skip,
}) => {
  skip(brokerProblem !== undefined, brokerProblem);
  const network = await openNetwork();
  const brokers = await startBrokers(network?.address);
  const [folder, queue, replicas] = [await makeFolder(), "faults", brokers.servers.length];
  const [state, ledger] = [join(folder, "state"), join(folder, "ledger.txt")];
  await writeFile(ledger, "");
  await cp(join(REPOSITORY, "fixtures/runtimes/minimal"), join(folder, "agent-runtimes/minimal"), {
    recursive: true,
  });
  const cluster = await openNatsCluster({
    ...{ servers: brokers.url, name: queue, filesDirectory: folder, leaseMs: LEASE_MS, replicas },
  });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const seen = observeRuns(cluster);
  const { servers, restart } = await startServers(brokers.url, queue, folder);
  const watching: Promise<{ runId: string; seqs: number[] }>[] = [];
  const submit = async (count: number): Promise<void> => {
    while (watching.length < count) {
      const index = watching.length;
      const [token, server, other] = [tokenOf(index % OWNERS), servers[index % 2] ?? servers[0], (index + 1) % 2];
      const input = { messages: [{ role: "user", content: `run${index}` }] };
      const runId = await create(server, { token, body: { input, engine: ENGINES[index % ENGINES.length] } });
      const received = watchAnywhere(() => servers[other] ?? servers[0], runId, token);
      watching.push(received.then((seqs) => ({ runId, seqs })));
    }
  };
  if (REQUESTED_RUNS !== undefined) await submit(RUNS);
  const given = {
    servers: brokers.url,
    queue,
    state,
    ledger,
    repository: REPOSITORY,
    project: folder,
    leaseMs: LEASE_MS,
  };
  const workers = new WorkerProcesses(given, network);
  for (let count = 0; count < WORKERS; count += 1) await workers.add();
  let [faults, restarted] = [0, 0];
  const restartBroker = async (): Promise<void> => {
    const broker = brokers.servers[restarted % brokers.servers.length];
    restarted += 1;
    await broker?.kill();
    await broker?.start();
  };
  const upgrade = async (): Promise<void> => {
    await restart();
    await workers.upgrade();
  };
  const kinds = [() => workers.kill(), restartBroker, () => workers.cut(), upgrade];
  while (seen.ended() < RUNS) {
    // Few runs would end before the last fault, so they are submitted bit by bit.
    await submit(Math.min(RUNS, (faults + 1) * RUNS_PER_FAULT));
    const next = seen.nextEnd();
    if (seen.ended() <= faults * RUNS_PER_FAULT) await next;
    else {
      await kinds[faults % kinds.length]?.();
      faults += 1;
    }
  }
  const streams = await Promise.all(watching);
  const runs = [...seen.runs.values()];
  const wrong = [];
  for (const { runId, seqs } of streams) {
    const stored: (number | undefined)[] = [];
    for await (const { seq } of cluster.store.events(runId)) stored.push(seq);
    const isRight = seqs.every((seq, index) => seq === index + 1) && seqs.length === stored.length;
    if (!isRight) wrong.push({ runId, status: seen.runs.get(runId)?.status, seqs, stored: stored.length });
  }
  const [repeated, waits] = [await repeatedLines(ledger), meanWaits(runs)];
  const [median = 0, longest = 0] = [waits[Math.floor(waits.length / 2)], waits.at(-1)];
  const facts = { runs: runs.length, ...workers.faults, restarted, most: seen.mostRunning(), median, longest };
  const endings = countOf(runs.map(({ status }) => status));
  console.info(JSON.stringify({ ...facts, endings, wrongStreams: wrong, repeated: repeated.length }));
  expect(faults).toBeGreaterThanOrEqual(kinds.length);
  expect(runs).toHaveLength(RUNS);
  expect(runs.filter(({ ends }) => ends.size !== 1)).toEqual([]);
  // A run of another engine ends with an error if its worker dies, because the engine saves no checkpoints.
  expect(runs.filter(({ engine, status }) => RESUMABLE.includes(engine) && status !== "completed")).toEqual([]);
  expect(repeated).toEqual([]);
  expect(wrong).toEqual([]);
  expect(seen.mostRunning()).toBeLessThanOrEqual(MAX_RUNNING);
  // A few runs are too few to compare waiting times.
  if (REQUESTED_RUNS !== undefined) expect(longest).toBeLessThanOrEqual(2 * median);
});
