import { runDamageSuite } from "@switchyard/crash-sweep/damage-suite";
import { ignoresLosses } from "@switchyard/crash-sweep/wrong-stores";
import { expect, test } from "vitest";
import { crashSuite } from "../src/suites/crash/crash.mjs";

const PATIENCE_MS = 600_000;
const log = () => undefined;

test(
  "runs that were killed and damaged are resumed or refused, and no effect is repeated",
  async () => {
    const { failures, figures, cases } = await crashSuite.run({
      seed: 1,
      first: 0,
      count: crashSuite.counts.quick,
      log,
    });
    console.log(figures);
    expect(failures).toEqual([]);
    expect(cases).toBe(crashSuite.counts.quick);
    expect(figures).toMatchObject({ "unsafe effects that happened twice": 0, "runs that were silently restarted": 0 });
    expect(Number(figures["killed processes"])).toBeGreaterThan(cases);
    expect(Number(figures["damaged copies"])).toBe(2 * cases);
    expect(Number(figures["damaged copies that were refused"])).toBeGreaterThan(0);
    expect(Number(figures["damaged copies that were resumed"])).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

test(
  "the suite detects a store that ignores lost checkpoints by repeated effects and silent restarts",
  async () => {
    const isDetected = { repeated: false, restarted: false };
    // Which stores a case damages depends on whether a broker is installed, so a few cases may detect nothing.
    for (let first = 0; first < 20 && !(isDetected.repeated && isDetected.restarted); first += 2) {
      const cases = { seed: 1, first, count: 2, log, wrapStore: ignoresLosses };
      const { failures, figures } = await runDamageSuite(cases);
      isDetected.repeated ||= failures.length > 0 && Number(figures["unsafe effects that happened twice"]) > 0;
      isDetected.restarted ||= failures.length > 0 && Number(figures["runs that were silently restarted"]) > 0;
    }
    expect(isDetected).toEqual({ repeated: true, restarted: true });
  },
  PATIENCE_MS,
);
