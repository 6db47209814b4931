import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { type NatsServer, startNatsCluster, startNatsServer } from "@switchyard/nats-server";
import { openNatsCluster } from "@switchyard/stores/nats";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRemoteEngine, parseTokens } from "../src/index.ts";
import { create } from "./call-api.ts";
import type { ClusterWorkerArguments } from "./fixtures/cluster-worker.ts";
import { brokerProblem } from "./open-cluster.ts";
import { makeFolder, type OpenedServer, openServer } from "./open-server.ts";
import { watch } from "./watch-run.ts";

// `pnpm test:cluster` uses more runs, workers and brokers.
const REQUESTED_RUNS = process.env["CLUSTER_RUNS"];
const RUNS = Number(REQUESTED_RUNS ?? 24);
const OWNERS = Math.max(4, Math.floor(RUNS / 5));
const WORKERS = REQUESTED_RUNS === undefined ? 2 : 6;
/** Number of ended runs between two faults. */
const RUNS_PER_FAULT = REQUESTED_RUNS === undefined ? 10 : 40;
const MAX_RUNNING = 2;
const LEASE_MS = 1_000;
const CHILD = fileURLToPath(new URL("./fixtures/work-in-child.mjs", import.meta.url));

vi.setConfig({ testTimeout: 120_000 + RUNS * 2_000 });

/** What was seen of a run. */
interface Seen {
  /** Times at which the run ended. */
  readonly ends: Set<string | undefined>;
  status: string;
  queuedMs: number;
  startedMs: number;
  owner: string;
}

/** Workers in processes that can be killed. A killed worker is replaced. */
class Workers {
  readonly #given: Omit<ClusterWorkerArguments, "name">;
  readonly #processes: ChildProcess[] = [];
  #started = 0;
  killed = 0;

  constructor(given: Omit<ClusterWorkerArguments, "name">) {
    this.#given = given;
    onTestFinished(async () => {
      await Promise.all(this.#processes.map((process) => end(process)));
    });
  }

  async add(): Promise<void> {
    this.#started += 1;
    const given = JSON.stringify({ ...this.#given, name: `w${this.#started}` });
    const child = spawn(process.execPath, [CHILD, given], { stdio: ["ignore", "pipe", "inherit"] });
    this.#processes.push(child);
    await once(child.stdout, "data");
  }

  async kill(): Promise<void> {
    const [first] = this.#processes.splice(this.killed % this.#processes.length, 1);
    this.killed += 1;
    if (first !== undefined) await end(first);
    await this.add();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function startBrokers(): Promise<{ url: string; servers: readonly NatsServer[] }> {
  if (REQUESTED_RUNS !== undefined) {
    const cluster = await startNatsCluster();
    onTestFinished(() => cluster.stop());
    return cluster;
  }
  const server = await startNatsServer();
  onTestFinished(() => server.stop());
  return { url: server.url, servers: [server] };
}

/** Watches all runs on the broker. */
async function observe(servers: string, queue: string, replicas: number) {
  const cluster = await openNatsCluster({
    servers,
    name: queue,
    filesDirectory: await makeFolder(),
    leaseMs: LEASE_MS,
    replicas,
  });
  const [runs, running] = [new Map<string, Seen>(), new Map<string, Set<string>>()];
  const stop = new AbortController();
  let [most, onEnd]: [number, () => void] = [0, () => undefined];
  const reading = (async () => {
    for await (const { runId, record, holder } of cluster.watchRuns(stop.signal)) {
      if (record === undefined) continue;
      const { owner = "", status, created_at, started_at = created_at, finished_at } = record;
      const seen = runs.get(runId) ?? {
        ends: new Set<string | undefined>(),
        status,
        owner,
        queuedMs: Date.parse(created_at),
        startedMs: 0,
      };
      runs.set(runId, seen);
      const active = running.get(owner) ?? new Set();
      running.set(owner, active);
      if (holder !== undefined && status === "running") active.add(runId);
      else active.delete(runId);
      most = Math.max(most, active.size);
      Object.assign(seen, { status, startedMs: Date.parse(started_at) });
      if (!TERMINAL_RUN_STATUSES.includes(status)) continue;
      seen.ends.add(finished_at);
      onEnd();
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    await reading;
    await cluster[Symbol.asyncDispose]();
  });
  return {
    runs,
    mostRunning: () => most,
    ended: () => [...runs.values()].filter(({ ends }) => ends.size > 0).length,
    nextEnd: () =>
      new Promise<void>((resolve) => {
        onEnd = resolve;
      }),
  };
}

/** Returns the mean waiting time of each owner, in milliseconds, shortest first. */
function meanWaits(runs: Iterable<Seen>): number[] {
  const waits = new Map<string, number[]>();
  for (const { owner, queuedMs, startedMs } of runs)
    waits.set(owner, [...(waits.get(owner) ?? []), startedMs - queuedMs]);
  return [...waits.values()]
    .map((list) => list.reduce((sum, wait) => sum + wait, 0) / list.length)
    .sort((left, right) => left - right);
}

/** Returns the lines of a file that occur more than once. */
async function repeatedLines(path: string): Promise<string[]> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  return lines.filter((line, index) => lines.indexOf(line) !== index);
}

test.skipIf(brokerProblem !== undefined)(
  "while workers and brokers are killed, every run ends once, no unsafe effect is repeated, and clients see each event once [D1] [D4] [D7] [D8]",
  async () => {
    const brokers = await startBrokers();
    const [folder, queue, replicas] = [await makeFolder(), "faults", brokers.servers.length];
    const [state, ledger] = [join(folder, "state"), join(folder, "ledger.txt")];
    await writeFile(ledger, "");
    const seen = await observe(brokers.url, queue, replicas);
    const tokenOf = (owner: number): string => `token-of-owner-${String(owner).padStart(8, "0")}`;
    const tokens = parseTokens(
      Array.from({ length: OWNERS }, (_, owner) => `${tokenOf(owner)} owner=o${owner}`).join("\n"),
      "tokens.txt",
    );
    const servers: OpenedServer[] = [];
    for (const name of ["steps", "agent"]) {
      const cluster = await openNatsCluster({
        servers: brokers.url,
        name: queue,
        filesDirectory: folder,
        leaseMs: LEASE_MS,
      });
      servers.push(
        await openServer(createRemoteEngine(name), {
          ...{ cluster, tokens, session: { engine: createRemoteEngine(name), engineName: name } },
          ...{ rateLimit: { perMinute: 1e6, burst: 1e6 }, maxQueued: 1e5, streams: { maxPerOwner: 1e4 } },
          quotaOf: () => ({ maxRunning: MAX_RUNNING }),
        }),
      );
    }
    const watching: Promise<{ runId: string; seqs: number[] }>[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      const [token, server, other] = [tokenOf(index % OWNERS), servers[index % 2], servers[(index + 1) % 2]];
      if (server === undefined || other === undefined) throw new Error("no servers");
      const input = { messages: [{ role: "user", content: `run${index}` }] };
      const engine = index % 3 === 0 ? "agent" : "steps";
      const runId = await create(server, { token, body: { input, engine } });
      watching.push(
        watch(other, runId, { token }).then((events) => ({
          runId,
          seqs: events.flatMap(({ data }) => (typeof data["seq"] === "number" ? [data["seq"]] : [])),
        })),
      );
    }
    const workers = new Workers({ servers: brokers.url, queue, state, ledger, leaseMs: LEASE_MS });
    for (let count = 0; count < WORKERS; count += 1) await workers.add();
    let [faults, restarted] = [0, 0];
    while (seen.ended() < RUNS) {
      const next = seen.nextEnd();
      if (seen.ended() >= RUNS) break;
      await next;
      if (seen.ended() < (faults + 1) * RUNS_PER_FAULT) continue;
      faults += 1;
      if (faults % 4 === 2) {
        const broker = brokers.servers[restarted % brokers.servers.length];
        restarted += 1;
        await broker?.kill();
        await broker?.start();
      } else await workers.kill();
    }
    const streams = await Promise.all(watching);
    const runs = [...seen.runs.values()];
    const wrong = streams.filter(({ seqs }) => seqs.length === 0 || seqs.some((seq, index) => seq !== index + 1));
    const [repeated, waits] = [await repeatedLines(ledger), meanWaits(runs)];
    const [median = 0, longest = 0] = [waits[Math.floor(waits.length / 2)], waits.at(-1)];
    const endings = countOf(runs.map(({ status }) => status));
    const facts = { runs: runs.length, killed: workers.killed, restarted, most: seen.mostRunning(), median, longest };
    console.info(JSON.stringify({ ...facts, endings, wrongStreams: wrong.length, repeated: repeated.length }));
    expect(runs).toHaveLength(RUNS);
    expect(runs.filter(({ ends }) => ends.size !== 1)).toEqual([]);
    expect(repeated).toEqual([]);
    expect(wrong).toEqual([]);
    expect(seen.mostRunning()).toBeLessThanOrEqual(MAX_RUNNING);
    // A few runs are too few to compare waiting times.
    if (REQUESTED_RUNS !== undefined) expect(longest).toBeLessThanOrEqual(2 * median);
  },
);

function countOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
