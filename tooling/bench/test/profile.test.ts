import { expect, test } from "vitest";
import { gapFigures, gapsOf } from "../src/fanout/runs/profile-runs.mjs";
import { describeParts } from "../src/report/gap-parts.mjs";

const ZERO = { childrenUs: 0, otherUs: 0, peakBytes: 0, wallUs: 0 };
/** CPU time of threads: 800 µs of main threads, 90 of thread pools, 40 of profilers, and 70 of other threads. */
const THREADS = { mainUs: 800, poolUs: 90, profilerUs: 40 };
/** Costs of two rounds. Server and worker use 1,000 µs. */
const OURS = [100, 300].map((brokerUs) => ({ ...ZERO, ...THREADS, serverUs: 400, workerUs: 600, brokerUs }));
/** Server and worker use 200 µs, 20 of which on other threads. */
const BULLMQ = [{ ...ZERO, serverUs: 100, workerUs: 100, mainUs: 150, poolUs: 10, profilerUs: 20, brokerUs: 50 }];
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
    // 150 on the main threads, and 90 - 10 in the thread pools.
    "node:fs": 230,
    // 800 - 500 on our main threads, minus 150 - 100 on those of BullMQ.
    "main threads: CPU time minus profiles": 250,
    // 1,000 - 800 - 90 - 40, minus 200 - 150 - 10 - 20. Profilers are not a part of the difference.
    "Node.js: other threads of V8": 50,
    "nats-server minus redis-server": 150,
  });
});

test("the shares of dependencies, node:fs, this repository and unattributed time add up to 100 percent", async () => {
  const figures = gapFigures(await gaps());
  const shares = figures
    .filter(({ name }) => name.startsWith("share"))
    .map(({ name, ours }) => [name, Math.round(ours)]);
  // Of 930 µs.
  expect(shares).toEqual([
    ["share of dependencies", 22],
    ["share of node:fs", 25],
    ["share of this repository", 27],
    ["share of time that is not attributed", 27],
  ]);
});

test("the parts of the difference and the largest dependency are described in one sentence", async () => {
  // 150 of 930 µs.
  expect(describeParts(gapFigures(await gaps()))).toBe(
    "largest dependency 16 % (nats-server minus redis-server); all parts: " +
      "dependencies 22 %, node:fs 25 %, this repository 27 %, time that is not attributed 27 %",
  );
});

test("time in which a main thread waited for a processor counts for no part", async () => {
  const doubled = (times: ReadonlyMap<string, number>) => new Map([...times].map(([part, us]) => [part, 4 * us]));
  const found = await gapsOf(COSTS, async (name) => doubled(TIMES[name]));
  // The profiles contain 2,000 µs of 800, and 400 of 150.
  expect(found.get("@switchyard/server")).toBeCloseTo(400);
  expect(found.get("zod")).toBeCloseTo(160 - 150);
  expect(found.get("main threads: CPU time minus profiles")).toBeCloseTo(0);
});
