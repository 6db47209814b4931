// @ts-check
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import PgBoss from "pg-boss";

/** @import { QueueClient } from "./contender.mjs" */

/** Its own worker polls every half second at most; here it is polled again immediately, as its `fetch` allows. */
const PAUSE_MS = 5;

/** @type {QueueClient} */
export const pgBoss = {
  openAdder: async (connectionString, name) => {
    const boss = new PgBoss({ connectionString, supervise: false, schedule: false, max: 4 });
    await boss.start();
    await boss.createQueue(name);
    return {
      add: async (ids) => {
        await boss.insert(ids.map((id) => ({ id: randomUUID(), name, data: { id } })));
      },
      close: () => boss.stop({ graceful: false }),
    };
  },
  openWorker: async (connectionString, name, { concurrency, onDone }) => {
    const boss = new PgBoss({ connectionString, supervise: false, schedule: false, migrate: false, max: concurrency });
    await boss.start();
    let isOpen = true;
    const work = async () => {
      while (isOpen) {
        const [job] = await boss.fetch(name);
        if (job === undefined) await delay(PAUSE_MS);
        else {
          await boss.complete(name, job.id, { outcome: { status: "succeeded" } });
          onDone();
        }
      }
    };
    const working = Promise.all(Array.from({ length: concurrency }, work));
    return {
      close: async () => {
        isOpen = false;
        await working;
        await boss.stop({ graceful: false });
      },
    };
  },
};
