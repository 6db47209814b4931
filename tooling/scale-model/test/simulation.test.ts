import fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom } from "../src/simulation/random.mjs";
import { SimulatedCluster } from "../src/simulation/simulate-cluster.mjs";
import { erlangWaitS, Station } from "../src/simulation/station.mjs";
import { Timeline } from "../src/simulation/timeline.mjs";

const COSTS = {
  ...{ acceptS: 0.005, viewS: 0.001, workerRunS: 0.01, diffS: 0.05 },
  ...{ workerRoundS: 0.005, brokerRunS: 0.01, brokerRoundS: 0.002 },
};

const plans = fc.record({
  servers: fc.integer({ min: 1, max: 3 }),
  workers: fc.integer({ min: 1, max: 8 }),
  slots: fc.integer({ min: 1, max: 6 }),
  brokerCores: fc.integer({ min: 1, max: 4 }),
  arrivalsPerS: fc.double({ min: 0.1, max: 20, noNaN: true }),
  initialRuns: fc.integer({ min: 0, max: 40 }),
  roundsPerRun: fc.integer({ min: 1, max: 5 }),
  modelS: fc.double({ min: 0.1, max: 5, noNaN: true }),
  modelVariation: fc.double({ min: 0.1, max: 2, noNaN: true }),
  toolS: fc.double({ min: 0.1, max: 5, noNaN: true }),
  modelFailures: fc.double({ min: 0, max: 0.5, noNaN: true }),
  modelRetryS: fc.double({ min: 0.1, max: 5, noNaN: true }),
  workerLifeS: fc.double({ min: 5, max: 500, noNaN: true }),
  leaseS: fc.double({ min: 0.1, max: 20, noNaN: true }),
  restartS: fc.double({ min: 0.1, max: 20, noNaN: true }),
});

test("every created run has ended or is active, and the same seed gives the same result", () => {
  fc.assert(
    fc.property(plans, fc.nat(), (plan, seed) => {
      const look = () => {
        const cluster = new SimulatedCluster(plan, COSTS, seed);
        cluster.timeline.runUntil(60);
        const { created, ended, active, lost, queued, startWaits } = cluster;
        expect(created).toBe(ended + active);
        expect(queued).toBeLessThanOrEqual(active);
        expect(Math.min(...startWaits, 0)).toBe(0);
        return { created, ended, lost, startWaits };
      };
      expect(look()).toEqual(look());
    }),
    { numRuns: 40 },
  );
});

test("no run is lost if workers die: without new runs, all runs end", () => {
  fc.assert(
    fc.property(plans, fc.nat(), (given, seed) => {
      const plan = { ...given, arrivalsPerS: 0, workerLifeS: Number.POSITIVE_INFINITY };
      const cluster = new SimulatedCluster(plan, COSTS, seed);
      for (let round = 1; round <= 5; round += 1) {
        cluster.timeline.runUntil(round);
        cluster.kill(round % plan.workers);
      }
      cluster.timeline.runUntil(Number.POSITIVE_INFINITY);
      expect(cluster).toMatchObject({ active: 0, queued: 0, ended: plan.initialRuns });
    }),
    { numRuns: 40 },
  );
});

/** Sends requests with exponential times to a station, and waits until all are served. */
function serve({ arrivalsPerS, serviceS, cores, requests, seed }: Record<string, number>) {
  const [timeline, random] = [new Timeline(), createRandom(seed ?? 1)];
  const station = new Station(timeline, cores ?? 1);
  let [left, waitedS] = [requests ?? 0, 0];
  const arrive = (): void => {
    station.request(random.exponential(serviceS ?? 1), (wait) => {
      waitedS += wait;
    });
    left -= 1;
    if (left > 0) timeline.after(random.exponential(1 / (arrivalsPerS ?? 1)), arrive);
  };
  arrive();
  timeline.runUntil(Number.POSITIVE_INFINITY);
  return { station, waitedS: waitedS / station.served, endS: timeline.nowS };
}

test("Little's law: the mean number of requests is the arrival rate times the mean time in the station", () => {
  const queues = fc.record({
    arrivalsPerS: fc.double({ min: 0.1, max: 50, noNaN: true }),
    serviceS: fc.double({ min: 0.001, max: 2, noNaN: true }),
    cores: fc.integer({ min: 1, max: 5 }),
    requests: fc.integer({ min: 1, max: 300 }),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(queues, (queue) => {
      const { station, endS } = serve(queue);
      const { arrived, served, sojournS, areaS, busyS } = station;
      expect([served, station.inside]).toEqual([arrived, 0]);
      expect(areaS / endS).toBeCloseTo((arrived / endS) * (sojournS / served), 6);
      expect(busyS).toBeLessThanOrEqual(queue.cores * endS + 1e-9);
    }),
  );
});

test.each([
  { cores: 1, use: 0.5 },
  { cores: 1, use: 0.8 },
  { cores: 4, use: 0.8 },
  { cores: 8, use: 0.9 },
])("the mean wait equals Erlang's formula with $cores cores that work $use of the time", ({ cores, use }) => {
  const queue = { arrivalsPerS: use * cores, serviceS: 1, cores };
  const { waitedS } = serve({ ...queue, requests: 150_000, seed: 7 });
  expect(waitedS / erlangWaitS(queue)).toBeGreaterThan(0.93);
  expect(waitedS / erlangWaitS(queue)).toBeLessThan(1.07);
});

test("Erlang's formula gives the known values of M/M/1 and M/M/2", () => {
  expect(erlangWaitS({ arrivalsPerS: 0.5, serviceS: 1, cores: 1 })).toBeCloseTo(1);
  expect(erlangWaitS({ arrivalsPerS: 1, serviceS: 1, cores: 2 })).toBeCloseTo(1 / 3);
});
