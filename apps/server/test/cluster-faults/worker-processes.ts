import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ClusterWorkerArguments } from "../fixtures/cluster-worker.ts";
import type { NetworkHost, TestNetwork } from "./open-network.ts";

const CHILD = fileURLToPath(new URL("../fixtures/work-in-child.mjs", import.meta.url));
/** The clock of each worker is wrong by a multiple of this time, in milliseconds. */
const SKEW_MS = 7 * 60_000;

interface Started {
  readonly child: ChildProcess;
  readonly host: NetworkHost | undefined;
}

/** Worker processes that are killed, cut off from the network and replaced. Each has its own host and a wrong clock. */
export class WorkerProcesses {
  readonly #given: Omit<ClusterWorkerArguments, "name" | "skewMs" | "version">;
  readonly #network: TestNetwork | undefined;
  readonly #started: Started[] = [];
  #count = 0;
  #version = "0.1.0";
  /** Numbers of faults. */
  readonly faults = { killed: 0, cut: 0, replaced: 0 };

  constructor(given: Omit<ClusterWorkerArguments, "name" | "skewMs" | "version">, network: TestNetwork | undefined) {
    this.#given = given;
    this.#network = network;
    onTestFinished(async () => {
      await Promise.all(this.#started.map(({ child }) => end(child, "SIGKILL")));
    });
  }

  /** Starts a worker, and resolves when it works. */
  async add(): Promise<void> {
    this.#count += 1;
    const skewMs = ((this.#count % 5) - 2) * SKEW_MS;
    const given = JSON.stringify({ ...this.#given, name: `w${this.#count}`, skewMs, version: this.#version });
    const host = await this.#network?.addHost();
    const [program = "", ...words] = [...(host?.prefix ?? []), process.execPath, CHILD, given];
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
    this.#started.push({ child, host });
    const exited = once(child, "exit").then(([code]) => {
      throw new Error(`a worker ended with the exit code ${code} before it worked`);
    });
    await Promise.race([once(child.stdout, "data"), exited]);
    exited.catch(() => undefined);
  }

  /** Kills the worker that has worked longest, and starts another. */
  async kill(): Promise<void> {
    this.faults.killed += 1;
    await this.#replaceFirst("SIGKILL");
  }

  /** Disconnects a worker for longer than a lease. Without a network of its own, kills it instead. */
  async cut(): Promise<void> {
    const { host } = this.#started.at(-1) ?? {};
    if (host === undefined) return await this.kill();
    this.faults.cut += 1;
    await host.cut();
    await delay(3 * this.#given.leaseMs);
    await host.restore();
  }

  /** Replaces all workers by workers of the next release, one after the other. Each saves its runs before it ends. */
  async upgrade(): Promise<void> {
    this.#version = "0.2.0";
    for (let left = this.#started.length; left > 0; left -= 1) {
      this.faults.replaced += 1;
      await this.#replaceFirst("SIGTERM");
    }
  }

  async #replaceFirst(signal: NodeJS.Signals): Promise<void> {
    const first = this.#started.shift();
    if (first !== undefined) await end(first.child, signal);
    await this.add();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
