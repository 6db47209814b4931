import { expect, test } from "vitest";
import { gapFigures, gapsOf } from "../src/fanout/runs/profile-runs.mjs";

const ZERO = { childrenUs: 0, otherUs: 0, peakBytes: 0, wallUs: 0 };
/** Costs of two rounds. Server and worker use 1,000 µs, 800 of which on their main threads. */
const OURS = [100, 300].map((brokerUs) => ({ ...ZERO, serverUs: 400, workerUs: 600, mainUs: 800, brokerUs }));
const BULLMQ = [{ ...ZERO, serverUs: 100, workerUs: 100, mainUs: 150, brokerUs: 50 }];
const COSTS = { ours: [], "ours-without-diff": OURS, bullmq: BULLMQ };

/** Parts of the profiles. */
const TIMES = {
  ours: new Map<string, number>(),
  "ours-without-diff": new Map([
    ["@switchyard/server", 250],
    ["zod", 100],
    ["node:fs", 150],
  ]),
  bullmq: new Map([["zod", 100]]),
};

const gaps = () => gapsOf(COSTS, async (name) => TIMES[name]);

test("CPU time that the profiles miss is attributed neither to dependencies nor to this repository", async () => {
  expect(Object.fromEntries(await gaps())).toEqual({
    "@switchyard/server": 250,
    zod: 0,
    "node:fs": 150,
    // 800 - 500 on our main threads, minus 150 - 100 on those of BullMQ.
    "main threads: CPU time minus profiles": 250,
    // 1,000 - 800, minus 200 - 150.
    "other threads": 150,
    "nats-server minus redis-server": 150,
  });
});

test("the shares of dependencies, node:fs, this repository and unattributed time add up to 100 percent", async () => {
  const figures = gapFigures(await gaps());
  const shares = figures
    .filter(({ name }) => name.startsWith("share"))
    .map(({ name, ours }) => [name, Math.round(ours)]);
  // Of 950 µs.
  expect(shares).toEqual([
    ["share of dependencies", 16],
    ["share of node:fs", 16],
    ["share of this repository", 26],
    ["share that is not attributed", 42],
  ]);
});
