// @ts-check
import { jetstreamProblem, startJetstream } from "../servers/start-jetstream.mjs";
import { postgresProblem, startPostgres } from "../servers/start-postgres.mjs";
import { redisProblem, startRedis } from "../servers/start-redis.mjs";

/** @import { QueueServer } from "../servers/start-process.mjs" */

/**
 * A queue used as in its own documentation.
 * @typedef {object} QueueClient
 * @property {(address: string, name: string) => Promise<Adder>} openAdder
 * @property {(address: string, name: string, options: WorkOptions) => Promise<{ close(): Promise<void> }>} openWorker
 */

/** @typedef {{ add(ids: readonly string[]): Promise<void>, close(): Promise<void> }} Adder */
/** @typedef {{ concurrency: number, onDone: () => void }} WorkOptions */

/**
 * A queue and the server that it needs.
 * @typedef {object} QueueKind
 * @property {(outlives: "process" | "power") => string | undefined} problem why it cannot be measured here
 * @property {(outlives: "process" | "power") => Promise<QueueServer>} start
 * @property {() => Promise<QueueClient>} load
 */

/** @type {Readonly<Record<"ours" | "bullmq" | "pg-boss", QueueKind>>} */
export const QUEUES = {
  ours: {
    problem: jetstreamProblem,
    start: startJetstream,
    load: async () => (await import("./our-queue.mjs")).ourQueue,
  },
  bullmq: {
    problem: redisProblem,
    start: startRedis,
    load: async () => (await import("./bullmq.mjs")).bullmq,
  },
  "pg-boss": {
    problem: postgresProblem,
    start: startPostgres,
    load: async () => (await import("./pg-boss.mjs")).pgBoss,
  },
};
