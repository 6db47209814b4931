import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NatsServer, startNatsCluster, startNatsServer } from "@switchyard/nats-server";
import { expect, onTestFinished, test } from "vitest";
import { openNatsWorkQueue } from "../src/nats/index.ts";
import { brokerProblem } from "./broker.ts";
import { listOf, temporaryFolder } from "./outcome.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

// `pnpm test:cluster` runs more tasks, each time with another seed. CLUSTER_SEED repeats a run.
const REQUESTED_TASKS = process.env["CLUSTER_TASKS"];
const TASKS = Number(REQUESTED_TASKS ?? 60);
const SEED = Number(process.env["CLUSTER_SEED"] ?? (REQUESTED_TASKS === undefined ? 7 : Date.now() % 1_000_000));
const WORKERS = 4;
/** Average number of tasks between two faults. */
const TASKS_PER_FAULT = Math.max(12, Math.floor(TASKS / 20));
/** Fraction of the faults that affect the broker. */
const BROKER_PART = 0.25;
const LEASE_MS = 1_500;
const RETRY_TIMEOUT_MS = 400_000;
const CHILD = new URL("./fixtures/queue-child.mjs", import.meta.url);

/** Returns a generator of numbers from 0 to 1, reproducible by the seed. */
function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One broker, or three brokers that each store a replica of all data. */
interface Brokers {
  readonly url: string;
  readonly servers: readonly NatsServer[];
  readonly stop: () => Promise<void>;
}

async function startBrokers(count: number): Promise<Brokers> {
  if (count > 1) return await startNatsCluster();
  const server = await startNatsServer();
  return { url: server.url, servers: [server], stop: () => server.stop() };
}

/** Brokers and workers, some of which are killed. */
class Cluster {
  readonly #servers: readonly NatsServer[];
  readonly #argv: readonly string[];
  readonly #chance: () => number;
  readonly #workers: WorkerProcess[] = [];
  killed = 0;
  restarted = 0;

  constructor(servers: readonly NatsServer[], argv: readonly string[], chance: () => number) {
    this.#servers = servers;
    this.#argv = argv;
    this.#chance = chance;
    for (let count = 0; count < WORKERS; count += 1) this.#workers.push(startWorker(CHILD, ...argv));
  }

  async fault(): Promise<void> {
    if (this.#chance() < BROKER_PART) await this.#restartBroker();
    else await this.#killWorker();
  }

  async #restartBroker(): Promise<void> {
    this.restarted += 1;
    const server = this.#servers[Math.floor(this.#chance() * this.#servers.length)];
    await server?.kill();
    await server?.start();
  }

  async #killWorker(): Promise<void> {
    this.killed += 1;
    const index = Math.floor(this.#chance() * this.#workers.length);
    const child = this.#workers[index]?.process;
    if (child === undefined) return;
    const exited = once(child, "exit");
    if (child.kill("SIGKILL")) await exited;
    this.#workers[index] = startWorker(CHILD, ...this.#argv);
  }
}

/** Returns tasks that were started again although a worker had confirmation that their record was stored. */
function repeatedIn(ledger: string): string[] {
  const ended = new Set<string>();
  const repeated: string[] = [];
  for (const line of ledger.split("\n")) {
    const [what, id = ""] = line.split(" ");
    if (what === "end") ended.add(id);
    else if (ended.has(id)) repeated.push(line);
  }
  return repeated;
}

test.for([1, 3])(
  "whatever is killed, with brokers: %i, every task has exactly one record, none is repeated, and the run ends [D1] [D6] [D7]",
  { timeout: RETRY_TIMEOUT_MS },
  async (count, { skip }) => {
    skip(brokerProblem !== undefined, brokerProblem);
    console.log(`cluster: seed ${SEED}, ${TASKS} tasks, ${WORKERS} workers, ${count} brokers`);
    const began = performance.now();
    const brokers = await startBrokers(count);
    onTestFinished(() => brokers.stop());
    const { url: servers } = brokers;
    const ledger = join(await temporaryFolder(), "ledger.txt");
    await writeFile(ledger, "");
    const queue = await openNatsWorkQueue({ servers, name: "cluster", leaseMs: LEASE_MS, replicas: count });
    onTestFinished(() => queue.close());
    const chance = createChance(SEED);
    const cluster = new Cluster(brokers.servers, [servers, "cluster", ledger, String(LEASE_MS)], chance);
    const ids = Array.from({ length: TASKS }, (_, index) => `task-${index + 1}`);
    const adding = (async () => {
      for (const id of ids) await queue.add({ group: "all", id, body: { id } });
    })();
    const seen = new Map<string, number>();
    const stopping = new AbortController();
    let next = Math.ceil(chance() * TASKS_PER_FAULT);
    let attempts = 0;
    for await (const { id, kind, attempt } of queue.watch("all", stopping.signal)) {
      if (kind === "begun") {
        attempts += attempt > 1 ? 1 : 0;
        continue;
      }
      expect(kind, `${id} after ${attempt} attempts`).toBe("finished");
      seen.set(id, (seen.get(id) ?? 0) + 1);
      if (seen.size === TASKS) break;
      if (seen.size < next) continue;
      next = seen.size + 1 + Math.ceil(chance() * 2 * TASKS_PER_FAULT);
      await cluster.fault();
    }
    await adding;
    const records = await listOf(queue.records("all"));
    expect(records.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect([...seen.values()].filter((count) => count !== 1)).toEqual([]);
    expect(repeatedIn(await readFile(ledger, "utf8"))).toEqual([]);
    console.log(
      `cluster: ${cluster.killed} workers killed, brokers restarted ${cluster.restarted} times, ${attempts} further attempts, ${Math.round((performance.now() - began) / 1_000)} s`,
    );
    expect(cluster.killed + cluster.restarted).toBeGreaterThan(0);
  },
);
